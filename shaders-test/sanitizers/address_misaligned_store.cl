// Four results are stored as a vector, and each work-item has three.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float4 v = (float4)(i, i + 1, i + 2, 0);
    *(global float4 *)&out[3 * i] = v;                   // FINDS misaligned
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float4 v = (float4)(i, i + 1, i + 2, 0);
    vstore3(v.xyz, i, out);
}
