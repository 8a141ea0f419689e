// The guard of a stencil tests the row, and the column is read.
// LAUNCH: global=8,4 local=8,4
// ARG: int=8
// ARG: int=32
kernel void wrong(global const int *line, global int *out) {
    size_t x = get_global_id(0), y = get_global_id(1);
    out[8 * y + x] = y + 1 < get_global_size(0) ? line[x + 1] : 0; // FINDS out-of-range
}
kernel void right(global const int *line, global int *out) {
    size_t x = get_global_id(0), y = get_global_id(1);
    out[8 * y + x] = x + 1 < get_global_size(0) ? line[x + 1] : 0;
}
