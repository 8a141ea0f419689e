// The logarithm of zero chooses a bin.
// LAUNCH: global=16 local=8
// ARG: int=32
kernel void wrong(global int *bins) {
    int i = get_global_id(0);
    int bin = (int)floor(log2((float)i));                // FINDS conversion-range
    if (bin >= 0 && bin < 32)
        atomic_inc(&bins[bin]);
}
kernel void right(global int *bins) {
    int i = get_global_id(0);
    int bin = i > 0 ? (int)floor(log2((float)i)) : 0;
    if (bin >= 0 && bin < 32)
        atomic_inc(&bins[bin]);
}
