// A function that adds up a tile of local memory in two loops is called before the tile is complete.
// LAUNCH: global=64 local=64
// ARG: int=64
int total(const local int *t, int rows, int columns, int weight) {
    int sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            sum += t[r * columns + c] * (r % weight + c); // FINDS local-race
    return sum;
}
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;                                            // FINDS local-race
    out[l] = total(t, 8, 8, 3);
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = total(t, 8, 8, 3);
}
