// An index is advanced before it is used.
// LAUNCH: global=2 local=2
// ARG: int=16
kernel void wrong(global int *a) {
    int at = 8 * get_global_id(0);
    for (int n = 0; n < 8; n++)
        a[++at] += n;                                    // FINDS out-of-range
}
kernel void right(global int *a) {
    int at = 8 * get_global_id(0);
    for (int n = 0; n < 8; n++)
        a[at++] += n;
}
