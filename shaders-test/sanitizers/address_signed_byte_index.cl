// A byte is the index of a table, and its type is signed.
// LAUNCH: global=256 local=64
// ARG: int=256
// ARG: int=256
kernel void wrong(global const int *table, global int *out) {
    int i = get_global_id(0);
    char byte = (char)i;
    out[i] = table[byte];                                // FINDS out-of-range
}
kernel void right(global const int *table, global int *out) {
    int i = get_global_id(0);
    uchar byte = (uchar)i;
    out[i] = table[byte];
}
