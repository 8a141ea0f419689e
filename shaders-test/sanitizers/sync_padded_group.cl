// The work-items behind the end of the data return before the tile is complete.
// LAUNCH: global=128 local=64
// ARG: int=100
// ARG: int=100
kernel void wrong(global const int *in, global int *out) {
    local int tile[64];
    int g = get_global_id(0), l = get_local_id(0);
    if (g >= 100)
        return;
    tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    out[g] = tile[l] + tile[0];
}
kernel void right(global const int *in, global int *out) {
    local int tile[64];
    int g = get_global_id(0), l = get_local_id(0);
    if (g < 100)
        tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g >= 100)
        return;
    out[g] = tile[l] + tile[0];
}
