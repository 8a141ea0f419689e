// A tile is padded by one column, which its flat index forgets in the declaration.
// LAUNCH: global=8,8 local=8,8
// ARG: int=64
kernel void wrong(global int *out) {
    local int tile[8 * 8];
    int x = get_local_id(0), y = get_local_id(1);
    tile[9 * y + x] = x;                                 // FINDS out-of-range
    out[8 * y + x] = x;
}
kernel void right(global int *out) {
    local int tile[8 * 9];
    int x = get_local_id(0), y = get_local_id(1);
    tile[9 * y + x] = x;
    out[8 * y + x] = tile[9 * y + x];
}
