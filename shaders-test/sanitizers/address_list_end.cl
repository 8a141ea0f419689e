// A list ends with the index -1, which is followed like the others.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *ends) {
    int next[8], at = get_global_id(0), length = 0;
    for (int k = 0; k < 8; k++)
        next[k] = k - 1;
    do {
        at = next[at];                                   // FINDS out-of-range
        length++;
    } while (length < 8);
    ends[get_global_id(0)] = at;
}
kernel void right(global int *ends) {
    int next[8], at = get_global_id(0), length = 0;
    for (int k = 0; k < 8; k++)
        next[k] = k - 1;
    do {
        at = next[at];
        length++;
    } while (at >= 0);
    ends[get_global_id(0)] = at;
}
