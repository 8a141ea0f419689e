// Runs of a merge sort are merged in place by work-items whose runs touch.
// LAUNCH: global=32 local=32
// ARG: int=32
void merge(const local int *from, local int *to, int begin, int length) {
    int a = begin, b = begin + length;
    for (int k = begin; k < begin + 2 * length; k++) {
        bool first = b >= begin + 2 * length || (a < begin + length && from[a] <= from[b]); // FINDS local-race
        to[k] = first ? from[a++] : from[b++];           // FINDS local-race
    }
}
kernel void wrong(global int *out) {
    local int x[64], y[64];
    int l = get_local_id(0);
    x[2 * l] = 2 * l * 5 % 64;                           // FINDS local-race
    x[2 * l + 1] = (2 * l + 1) * 5 % 64;                 // FINDS local-race
    for (int n = 1; n < 64; n *= 2)
        if (l * 2 * n < 64)
            merge(n & 0x15 ? x : y, n & 0x15 ? y : x, l * 2 * n, n);
    out[l] = x[l];                                       // FINDS local-race
}
kernel void right(global int *out) {
    local int x[64], y[64];
    int l = get_local_id(0);
    x[2 * l] = 2 * l * 5 % 64;
    x[2 * l + 1] = (2 * l + 1) * 5 % 64;
    for (int n = 1; n < 64; n *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l * 2 * n < 64)
            merge(n & 0x15 ? x : y, n & 0x15 ? y : x, l * 2 * n, n);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = x[l];
}
