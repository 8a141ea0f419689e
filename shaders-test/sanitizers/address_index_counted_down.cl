// The elements before a work-item's are read in falling order, in the wrong kernel also the one before the first.
// LAUNCH: global=64 local=32
// ARG: int=64
// ARG: int=64
kernel void wrong(global const int *in, global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k <= i + 1; k++)
        sum += in[i - k];                                // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global const int *in, global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k <= i; k++)
        sum += in[i - k];
    out[i] = sum;
}
