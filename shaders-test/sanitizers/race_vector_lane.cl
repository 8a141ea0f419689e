// A lane of a vector is read while its owner writes the whole vector.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global float *out) {
    local float4 v[64];
    int l = get_local_id(0);
    v[l] = (float4)(l, l + 1, l + 2, l + 3);             // FINDS local-race
    float z = v[l ^ 32].z;                               // FINDS local-race
    out[l] = z;
}
kernel void right(global float *out) {
    local float4 v[64];
    int l = get_local_id(0);
    v[l] = (float4)(l, l + 1, l + 2, l + 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    float z = v[l ^ 32].z;
    out[l] = z;
}
