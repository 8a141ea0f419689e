// A tile is read by columns without a barrier behind the writes of its rows.
// LAUNCH: global=32,32 local=16,16
// ARG: int=1024
// ARG: int=1024
kernel void wrong(global const int *in, global int *out) {
    local int tile[16][17];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0), gy = get_group_id(1);
    tile[ly][lx] = in[32 * (16 * gy + ly) + 16 * gx + lx] + lx; // FINDS local-race
    out[32 * (16 * gx + ly) + 16 * gy + lx] = tile[lx][ly]; // FINDS local-race
}
kernel void right(global const int *in, global int *out) {
    local int tile[16][17];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0), gy = get_group_id(1);
    tile[ly][lx] = in[32 * (16 * gy + ly) + 16 * gx + lx] + lx;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[32 * (16 * gx + ly) + 16 * gy + lx] = tile[lx][ly];
}
