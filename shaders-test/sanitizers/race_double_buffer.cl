// Two buffers take turns, and the step reads from the one that it writes.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[2][64];
    int l = get_local_id(0);
    t[0][l] = t[1][l] = l * l;
    for (int n = 0; n < 4; n++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int to = n & 1, from = n % 2;
        t[to][l] = t[from][(l + 1) & 63] + n;            // FINDS local-race
    }
    out[l] = t[0][l];
}
kernel void right(global int *out) {
    local int t[2][64];
    int l = get_local_id(0);
    t[0][l] = t[1][l] = l * l;
    for (int n = 0; n < 4; n++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int to = n & 1, from = (n + 1) % 2;
        t[to][l] = t[from][(l + 1) & 63] + n;
    }
    out[l] = t[0][l];
}
