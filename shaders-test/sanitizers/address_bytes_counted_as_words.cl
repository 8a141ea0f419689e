// The size of a row in bytes is used as its number of elements.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    short row[6] = { 3, 1, 4, 1, 5, 9 };
    int sum = get_global_id(0);
    for (size_t k = 0; k < sizeof(row); k++)
        sum += row[k];                                   // FINDS out-of-range
    out[get_global_id(0)] = sum;
}
kernel void right(global int *out) {
    short row[6] = { 3, 1, 4, 1, 5, 9 };
    int sum = get_global_id(0);
    for (size_t k = 0; k < sizeof(row) / sizeof(row[0]); k++)
        sum += row[k];
    out[get_global_id(0)] = sum;
}
