// Work-items fill one triangle of a tile and read the other.
// LAUNCH: global=8,16 local=8,8
// ARG: int=128
kernel void wrong(global int *out) {
    local int tile[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    if (x <= y)
        tile[y][x] = x - y;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[8 * get_global_id(1) + x] = tile[min(x, y)][max(x, y)]; // FINDS uninitialized
}
kernel void right(global int *out) {
    local int tile[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    if (x <= y)
        tile[y][x] = x - y;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[8 * get_global_id(1) + x] = tile[max(x, y)][min(x, y)];
}
