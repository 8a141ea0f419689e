// The result of a transposition has another number of columns than its source.
// LAUNCH: global=12,4 local=12,4
// ARG: int=48
// ARG: int=48
kernel void wrong(global const int *in, global int *out) {
    size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    out[x * width + y] = in[y * width + x];              // FINDS out-of-range
}
kernel void right(global const int *in, global int *out) {
    size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
    out[x * height + y] = in[y * width + x];
}
