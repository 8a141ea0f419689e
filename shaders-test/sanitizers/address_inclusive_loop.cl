// A sum of a row includes the first element of the next row, which the last row does not have.
// LAUNCH: global=8 local=8
// ARG: int=64
// ARG: int=8
kernel void wrong(global const int *rows, global int *sums) {
    int r = get_global_id(0), sum = 0;
    for (int k = 0; k <= 8; k++)
        sum += rows[8 * r + k];                          // FINDS out-of-range
    sums[r] = sum;
}
kernel void right(global const int *rows, global int *sums) {
    int r = get_global_id(0), sum = 0;
    for (int k = 0; k < 8; k++)
        sum += rows[8 * r + k];
    sums[r] = sum;
}
