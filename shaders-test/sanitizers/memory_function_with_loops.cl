// A function with two loops adds up a matrix, of which the last row has no values.
// LAUNCH: global=8 local=8
// ARG: int=8
int total(const int *m, int rows, int columns) {
    int sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            sum += m[r * columns + c] * (r - c);
    return sum;
}
kernel void wrong(global int *out) {
    int m[16], i = get_global_id(0);
    for (int k = 0; k < 12; k++)
        m[k] = k * i;
    out[i] = total(m, 4, 4);                             // FINDS uninitialized
}
kernel void right(global int *out) {
    int m[16], i = get_global_id(0);
    for (int k = 0; k < 12; k++)
        m[k] = k * i;
    out[i] = total(m, 3, 4);
}
