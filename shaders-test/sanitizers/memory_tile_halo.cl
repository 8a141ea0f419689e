// The right border of a tile is not loaded.
// LAUNCH: global=128 local=64
// ARG: int=130
// ARG: int=128
kernel void wrong(global const int *in, global int *out) {
    local int tile[66];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l + 1] = in[g + 1];
    if (l == 0)
        tile[0] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[l] - 2 * tile[l + 1] + tile[l + 2];    // FINDS uninitialized
}
kernel void right(global const int *in, global int *out) {
    local int tile[66];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l + 1] = in[g + 1];
    if (l == 0) {
        tile[0] = in[g];
        tile[65] = in[g + 65];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[l] - 2 * tile[l + 1] + tile[l + 2];
}
