// A function multiplies blocks of matrices, and is called with the number of rows of another one.
// LAUNCH: global=4 local=4
// ARG: int=48
// ARG: int=4
int block_sum(global const int *m, int rows, int columns, int pitch) {
    int sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            sum += m[r * pitch + c] * (r - c);           // FINDS out-of-range
    return sum;
}
kernel void wrong(global const int *m, global int *out) {
    int i = get_global_id(0);
    out[i] = block_sum(m + 2 * i, 8, 2, 8);
}
kernel void right(global const int *m, global int *out) {
    int i = get_global_id(0);
    out[i] = block_sum(m + 2 * i, 6, 2, 8);
}
