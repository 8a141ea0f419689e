// A function moves the pointer to the tile that the caller goes on with, to a tile that others use.
// LAUNCH: global=64 local=64
// ARG: int=64
void advance(local int **tile, int by) {
    *tile += by;
}
kernel void wrong(global int *out) {
    local int tiles[96];
    local int *tile = tiles;
    int l = get_local_id(0);
    if (l >= 32)
        advance(&tile, 16);
    tile[l % 32] = l;                                    // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l % 32];
}
kernel void right(global int *out) {
    local int tiles[96];
    local int *tile = tiles;
    int l = get_local_id(0);
    if (l >= 32)
        advance(&tile, 32);
    tile[l % 32] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l % 32];
}
