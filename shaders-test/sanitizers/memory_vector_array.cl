// One lane of the vectors in an array is set in all of them but one.
// LAUNCH: global=4 local=4
// ARG: int=4
kernel void wrong(global float *out) {
    float4 v[4];
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        v[k].xyz = (float3)(k, i, 1);
        if (k != 2)
            v[k].w = 0;
    }
    out[i] = v[i].w;                                     // FINDS uninitialized
}
kernel void right(global float *out) {
    float4 v[4];
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        v[k].xyz = (float3)(k, i, 1);
        if (k != 2)
            v[k].w = 0;
    }
    out[i] = i == 2 ? v[i].z : v[i].w;
}
