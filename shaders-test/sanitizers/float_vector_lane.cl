// One lane of a vector is zero in the first work-item.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float4 v = (float4)(1, 2, i, 4);
    float4 inverse = 1.0f / v;                           // FINDS not-finite
    out[i] = inverse.x + inverse.y;
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float4 v = (float4)(1, 2, i, 4);
    float4 inverse = 1.0f / select(v, (float4)(1), v == 0.0f);
    out[i] = inverse.x + inverse.y;
}
