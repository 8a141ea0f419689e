// Vectors of sixteen are read from a buffer whose last one is incomplete.
// LAUNCH: global=4 local=4
// ARG: int=62
// ARG: int=4
kernel void wrong(global const int16 *in, global int *out) {
    int i = get_global_id(0);
    int16 v = in[i];                                     // FINDS out-of-range
    out[i] = v.s0 + v.sf;
}
kernel void right(global const int16 *in, global int *out) {
    int i = get_global_id(0);
    int16 v = in[i % 3];
    out[i] = v.s0 + v.sf;
}
