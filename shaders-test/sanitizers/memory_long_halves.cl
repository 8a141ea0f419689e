// The upper half of a number of eight bytes is not set.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global long *out) {
    int2 halves;
    int i = get_global_id(0);
    halves.x = i;
    if (i == 7)
        halves.y = -1;
    out[i] = as_long(halves);                            // FINDS uninitialized
}
kernel void right(global long *out) {
    int2 halves;
    int i = get_global_id(0);
    halves.x = i;
    halves.y = i == 7 ? -1 : 0;
    out[i] = as_long(halves);
}
