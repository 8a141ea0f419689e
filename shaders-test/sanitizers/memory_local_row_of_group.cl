// The first row of a tile is filled in the groups of the first rows only.
// LAUNCH: global=16,8 local=8,4
// ARG: int=128
kernel void wrong(global int *out) {
    local int tile[4][8];
    int x = get_local_id(0), y = get_local_id(1);
    if (get_global_id(1) == y && y == 0)
        tile[y][x] = x;
    else if (y > 0)
        tile[y][x] = -x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[16 * get_global_id(1) + get_global_id(0)] = tile[3 - y][7 - x]; // FINDS uninitialized
}
kernel void right(global int *out) {
    local int tile[4][8];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = y == 0 ? x : -x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[16 * get_global_id(1) + get_global_id(0)] = tile[3 - y][7 - x];
}
