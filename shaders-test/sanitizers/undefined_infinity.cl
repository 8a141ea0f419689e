// The inverse of zero is infinite.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    float inverse = 100.0f / (float)(i & 3);
    out[i] = convert_int(inverse);                       // FINDS conversion-range
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    float inverse = 100.0f / (float)(i & 3 | 1);
    out[i] = convert_int(inverse);
}
