// A long has 64 bits.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    long x = 1L << (i * 10);                             // FINDS shift-count
    out[i] = x >> 32;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    long x = 1L << (i * 9);
    out[i] = x >> 32;
}
