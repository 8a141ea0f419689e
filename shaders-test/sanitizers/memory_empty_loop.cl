// The last element of a range is remembered, and some ranges are empty.
// LAUNCH: global=8 local=8
// ARG: int=64
// ARG: int=8
kernel void wrong(global const int *in, global int *out) {
    int i = get_global_id(0), last;
    for (int k = 0; k < i; k++)
        last = in[8 * i + k] + k;
    out[i] = last;                                       // FINDS uninitialized
}
kernel void right(global const int *in, global int *out) {
    int i = get_global_id(0), last;
    for (int k = 0; k <= i; k++)
        last = in[8 * i + k] + k;
    out[i] = last;
}
