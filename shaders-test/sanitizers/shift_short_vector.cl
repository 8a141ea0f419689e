// The lanes of a vector are not promoted: those of shorts have 16 bits.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    short4 v = (short4)(i, 1, 2, 3) << (short4)(3 * i);  // FINDS shift-count
    out[i] = v.x;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    short4 v = (short4)(i, 1, 2, 3) << (short4)(2 * i);
    out[i] = v.x;
}
