// A function with two loops fills a part of a buffer that is as long as three work-items' parts.
// LAUNCH: global=16 local=16
// ARG: int=192
void fill(global int *to, int rows, int columns, int value) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            to[r * columns + c] = value * r + c;         // FINDS global-race
}
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    fill(a + 4 * i, 3, 4, i + 1);
}
kernel void right(global int *a) {
    int i = get_global_id(0);
    fill(a + 12 * i, 3, 4, i + 1);
}
