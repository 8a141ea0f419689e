// Pointers to two local buffers are kept in an array, and both are the same one in the second round.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int a[64], b[64];
    local int *buffers[3] = { a, b, b };
    int l = get_local_id(0);
    a[l] = b[l] = l;
    for (int n = 0; n < 2; n++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        buffers[n + 1][l] = buffers[n][63 - l] + 1;      // FINDS local-race
    }
    out[l] = b[l];
}
kernel void right(global int *out) {
    local int a[64], b[64];
    local int *buffers[3] = { a, b, a };
    int l = get_local_id(0);
    a[l] = b[l] = l;
    for (int n = 0; n < 2; n++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        buffers[n + 1][l] = buffers[n][63 - l] + 1;
    }
    out[l] = a[l];
}
