// A macro for the elements of a matrix has no parentheses around the row.
// LAUNCH: global=8,8 local=8,8
// ARG: int=64
// ARG: int=64
#define LOOSE(m, row, column) m[row * 8 + column]
#define ELEMENT(m, row, column) m[(row) * 8 + (column)]
kernel void wrong(global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    if (y > 0)
        out[8 * y + x] = LOOSE(in, y - 1, x);            // FINDS out-of-range
}
kernel void right(global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    if (y > 0)
        out[8 * y + x] = ELEMENT(in, y - 1, x);
}
