// Two vectors of two are stored to an array of five.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    float t[5];
    int i = get_global_id(0);
    vstore2((float2)(i, 1), 0, t);
    vstore2((float2)(2, i), 1, t);
    out[i] = t[i % 5];                                   // FINDS uninitialized
}
kernel void right(global float *out) {
    float t[5];
    int i = get_global_id(0);
    vstore2((float2)(i, 1), 0, t);
    vstore3((float3)(2, i, 4), 0, t + 2);
    out[i] = t[i % 5];
}
