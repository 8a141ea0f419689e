// A vector of which two lanes were set is stored as a whole.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global float *out) {
    float4 v;
    int i = get_global_id(0);
    v.lo = (float2)(i, 1);
    vstore4(v, i, out);                                  // FINDS uninitialized
}
kernel void right(global float *out) {
    float4 v;
    int i = get_global_id(0);
    v.lo = (float2)(i, 1);
    vstore2(v.lo, 2 * i, out);
}
