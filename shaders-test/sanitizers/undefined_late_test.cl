// The divisor is tested after the division.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), d = i % 4;
    if (12 / d > 5 && d != 0)                            // FINDS division-by-zero
        out[i] = 1;
}
kernel void right(global int *out) {
    int i = get_global_id(0), d = i % 4;
    if (d != 0 && 12 / d > 5)
        out[i] = 1;
}
