// Each work-item fills a row of a tile in a loop; the rows of the wrong kernel overlap.
// LAUNCH: global=32 local=32
// ARG: int=128
kernel void wrong(global int *out) {
    local int tile[128];
    int l = get_local_id(0);
    for (int k = 0; k < 4; k++)
        tile[3 * l + k] = 10 * l + k;                    // FINDS local-race
    for (int k = 0; k < 3; k++)
        out[4 * l + k] = tile[3 * l + k];                // FINDS local-race
}
kernel void right(global int *out) {
    local int tile[128];
    int l = get_local_id(0);
    for (int k = 0; k < 4; k++)
        tile[4 * l + k] = 10 * l + k;
    for (int k = 0; k < 4; k++)
        out[4 * l + k] = tile[4 * l + k];
}
