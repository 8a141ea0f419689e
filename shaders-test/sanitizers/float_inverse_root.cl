// The inverse of the root of zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = rsqrt(i * 2.0f);                            // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = rsqrt(i * 2.0f + 1.0f);
}
