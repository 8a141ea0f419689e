// The rows of a tile are counted by the other dimension of the work-group.
// LAUNCH: global=16,4 local=16,4
// ARG: int=64
kernel void wrong(global int *out) {
    local int tile[4][16];
    int x = get_local_id(0), y = get_local_id(1);
    tile[x][y] = x + y;                                  // FINDS out-of-range
    barrier(CLK_LOCAL_MEM_FENCE);
    out[16 * y + x] = y;
}
kernel void right(global int *out) {
    local int tile[4][16];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = x + y;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[16 * y + x] = tile[3 - y][x];
}
