// The remainder by a short that has wrapped around to zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    short size = 1, i = get_global_id(0);
    for (int k = 0; k < 4 * i; k++)
        size *= 2;
    out[i] = 1000 % size;                                // FINDS division-by-zero
}
kernel void right(global int *out) {
    short size = 1, i = get_global_id(0);
    for (int k = 0; k < 2 * i; k++)
        size *= 2;
    out[i] = 1000 % size;
}
