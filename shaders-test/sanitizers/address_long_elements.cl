// A buffer of sixteen numbers of four bytes is used as sixteen of eight.
// LAUNCH: global=16 local=8
// ARG: int=16
kernel void wrong(global long *sums) {
    int i = get_global_id(0);
    sums[i] += (long)i << 33;                            // FINDS out-of-range
}
kernel void right(global long *sums) {
    int i = get_global_id(0);
    if (i < 8)
        sums[i] += (long)i << 33;
}
