// A function fills an array of which it does not know the length.
// LAUNCH: global=8 local=8
// ARG: int=8
void fill(int *to, int n, int value) {
    while (n-- > 0)
        to[n] = value;                                   // FINDS out-of-range
}
kernel void wrong(global int *out) {
    int small[4], large[8], i = get_global_id(0);
    fill(large, 8, i);
    fill(small, 8, i);
    out[i] = small[i & 3] + large[i];
}
kernel void right(global int *out) {
    int small[4], large[8], i = get_global_id(0);
    fill(large, 8, i);
    fill(small, 4, i);
    out[i] = small[i & 3] + large[i];
}
