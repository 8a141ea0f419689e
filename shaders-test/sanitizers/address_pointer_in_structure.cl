// A view of a matrix keeps a pointer and its sizes in a structure, and the sizes are exchanged.
// LAUNCH: global=4,6 local=4,6
// ARG: int=24
struct view { global int *first; int rows, columns; };
void set(struct view v, int row, int column, int value) {
    if (row < v.rows && column < v.columns)
        v.first[row * v.columns + column] = value;       // FINDS out-of-range
}
kernel void wrong(global int *a) {
    struct view v = { a, 6, 5 };
    set(v, get_global_id(1), get_global_id(0) + 1, 1);
}
kernel void right(global int *a) {
    struct view v = { a, 6, 4 };
    set(v, get_global_id(1), get_global_id(0), 1);
}
