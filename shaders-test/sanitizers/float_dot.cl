// The products of the lanes are beyond the greatest number.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float4 v = (float4)(i * 1e19f);
    out[i] = dot(v, v);                                  // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float4 v = (float4)(i * 1e18f);
    out[i] = dot(v, v);
}
