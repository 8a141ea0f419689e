// A function with two loops divides by the sum of its counters, which starts at zero.
// LAUNCH: global=8 local=8
// ARG: int=8
int weigh(int rows, int columns, int start) {
    int sum = 0;
    for (int r = start; r < rows; r++)
        for (int c = start; c < columns; c++)
            sum += 60 / (r + c);                         // FINDS division-by-zero
    return sum;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = weigh(4, 4, i / 2);
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = weigh(4, 4, i / 2 + 1);
}
