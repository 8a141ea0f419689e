// Pointers to rows are kept in an array, and the last row is read past its end.
// LAUNCH: global=8 local=8
// ARG: int=32
// ARG: int=32
kernel void wrong(global const int *in, global int *out) {
    global const int *rows[4];
    int i = get_global_id(0), sum = 0;
    for (int r = 0; r < 4; r++)
        rows[r] = in + 8 * r;
    for (int r = 0; r < 4; r++)
        sum += rows[r][i] + rows[(r + i) & 3][i + 1];    // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global const int *in, global int *out) {
    global const int *rows[4];
    int i = get_global_id(0), sum = 0;
    for (int r = 0; r < 4; r++)
        rows[r] = in + 8 * r;
    for (int r = 0; r < 4; r++)
        sum += rows[r][i] + rows[(r + i) & 3][(i + 1) % 8];
    out[i] = sum;
}
