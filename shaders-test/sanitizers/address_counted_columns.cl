// A product of matrices whose second matrix has a row too few.
// LAUNCH: global=8,8 local=8,8
// ARG: int=64
// ARG: int=56
// ARG: int=64
kernel void wrong(global const int *a, global const int *b, global int *c) {
    uint x = get_global_id(0), y = get_global_id(1), size = get_global_size(0), sum = 0;
    for (uint k = 0; k < size; k++)
        sum += a[y * size + k] * b[k * size + x];        // FINDS out-of-range
    c[y * size + x] = sum;
}
kernel void right(global const int *a, global const int *b, global int *c) {
    uint x = get_global_id(0), y = get_global_id(1), size = get_global_size(0), sum = 0;
    for (uint k = 0; k < size - 1; k++)
        sum += a[y * size + k] * b[k * size + x];
    c[y * size + x] = sum;
}
