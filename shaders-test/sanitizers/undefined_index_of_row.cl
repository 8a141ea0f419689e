// The last element of a row has no right neighbour: that index is of the next row.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int t[4][8];
    for (int k = 0; k < 32; k++)
        t[k / 8][k % 8] = k;
    out[i] = t[1][i + 1];                                // FINDS array-index
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int t[4][8];
    for (int k = 0; k < 32; k++)
        t[k / 8][k % 8] = k;
    out[i] = t[1][(i + 1) % 8];
}
