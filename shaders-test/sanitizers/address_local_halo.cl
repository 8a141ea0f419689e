// A tile has no room for the two elements that its neighbours own.
// LAUNCH: global=128 local=64
// ARG: int=130
// ARG: int=128
kernel void wrong(global const int *in, global int *out) {
    local int tile[64];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l + 1] = in[g + 1];                             // FINDS out-of-range
    if (l == 0)
        tile[0] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[l] + tile[l + 1];                      // FINDS out-of-range
}
kernel void right(global const int *in, global int *out) {
    local int tile[66];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l + 1] = in[g + 1];
    if (l == 0)
        tile[0] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[l] + tile[l + 1];
}
