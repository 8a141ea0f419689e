// The borders of a tile are loaded behind the barrier.
// LAUNCH: global=128 local=64
// ARG: int=130
// ARG: int=128
kernel void wrong(global const int *in, global int *out) {
    local int tile[66];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l + 1] = in[g + 1] + g;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 2)
        tile[65 * l] = in[g - l + 65 * l] - 1;           // FINDS local-race
    out[g] = tile[l] + tile[l + 2];                      // FINDS local-race
}
kernel void right(global const int *in, global int *out) {
    local int tile[66];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l + 1] = in[g + 1] + g;
    if (l < 2)
        tile[65 * l] = in[g - l + 65 * l] - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[l] + tile[l + 2];
}
