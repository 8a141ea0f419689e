// Counters are incremented that were never set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int counts[3], i = get_global_id(0);
    for (int k = 0; k < 8; k++)
        counts[k * i % 3]++;
    out[i] = counts[0];                                  // FINDS uninitialized
}
kernel void right(global int *out) {
    int counts[3], i = get_global_id(0);
    counts[0] = counts[1] = counts[2] = 0;
    for (int k = 0; k < 8; k++)
        counts[k * i % 3]++;
    out[i] = counts[0];
}
