// Rounding down takes a small negative number to -1, which is no unsigned one.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global uint *out) {
    int i = get_global_id(0);
    out[i] = convert_uint_rtn(i - 0.5f);                 // FINDS conversion-range
}
kernel void right(global uint *out) {
    int i = get_global_id(0);
    out[i] = convert_uint_rtz(i - 0.5f) + convert_uint_rtn(i + 0.5f);
}
