// A table is filled from its first two elements, of which one was forgotten.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int table[8];
    table[1] = 1;
    for (int k = 2; k < 8; k++)
        table[k] = table[k - 1] + table[k - 2];
    out[get_global_id(0)] = table[get_global_id(0) | 2]; // FINDS uninitialized
}
kernel void right(global int *out) {
    int table[8];
    table[0] = table[1] = 1;
    for (int k = 2; k < 8; k++)
        table[k] = table[k - 1] + table[k - 2];
    out[get_global_id(0)] = table[get_global_id(0) | 2];
}
