// An assignment shifts by a sum.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    uint mask = 0xffu;
    mask >>= i + 26;                                     // FINDS shift-count
    out[i] = mask;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    uint mask = 0xffu;
    mask >>= i + 24;
    out[i] = mask;
}
