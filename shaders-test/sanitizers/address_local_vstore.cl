// Vectors of four are stored to a local array for vectors of three.
// LAUNCH: global=16 local=16
// ARG: int=16
kernel void wrong(global int *out) {
    local float t[48];
    int l = get_local_id(0);
    vstore4((float4)(l), l, t);                          // FINDS out-of-range
    out[l] = l;
}
kernel void right(global int *out) {
    local float t[48];
    int l = get_local_id(0);
    vstore3((float3)(l), l, t);
    out[l] = t[3 * l + 2];
}
