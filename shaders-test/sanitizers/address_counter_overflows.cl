// A counter of 64 bits overflows in the middle of a loop, below a limit that it is then far from.
// LAUNCH: global=64 local=32
// ARG: int=24
// ARG: int=64
kernel void wrong(global const int *in, global int *out) {
    ulong first = get_local_size(0) - 43;
    int sum = 0, n = 0;
    for (ulong k = first; k < ULONG_MAX; k += 16) {
        sum += in[k - first];                            // FINDS out-of-range
        if (++n == 3)
            break;
    }
    out[get_global_id(0)] = sum;
}
kernel void right(global const int *in, global int *out) {
    ulong first = get_local_size(0) - 43;
    int sum = 0, n = 0;
    for (ulong k = first; k < ULONG_MAX; k += 16) {
        sum += in[k - first];
        if (++n == 2)
            break;
    }
    out[get_global_id(0)] = sum;
}
