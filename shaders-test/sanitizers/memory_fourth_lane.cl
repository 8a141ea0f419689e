// A vector of three takes the place of four, and the fourth is no value.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global float3 *out) {
    float3 v;
    int i = get_global_id(0);
    v.x = i;
    v.z = 2 * i;
    out[i] = v;                                          // FINDS uninitialized
}
kernel void right(global float3 *out) {
    float3 v;
    int i = get_global_id(0);
    v.x = i;
    v.y = v.z = 2 * i;
    out[i] = v;
}
