// The last element of a chunk is the first one of the next.
// LAUNCH: global=64 local=16
// ARG: int=257
kernel void wrong(global int *a) {
    int begin = 4 * get_global_id(0), end = begin + 4;
    for (int k = begin; k <= end; k++)
        a[k] = k - 5 * begin;                            // FINDS global-race
}
kernel void right(global int *a) {
    int begin = 4 * get_global_id(0), end = begin + 4;
    for (int k = begin; k < end; k++)
        a[k] = k - 5 * begin;
}
