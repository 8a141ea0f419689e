// A product of two longs.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    long x = 3000000000L * (i + 1);
    out[i] = x * x >> 40;                                // FINDS signed-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    long x = 300000000L * (i + 1);
    out[i] = x * x >> 40;
}
