// The number is shifted as an int, and becomes a long behind that.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    long bit = 1 << (i * 5);                             // FINDS shift-count
    out[i] = bit != 0;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    long bit = 1L << (i * 5);
    out[i] = bit != 0;
}
