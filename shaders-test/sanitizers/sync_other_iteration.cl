// Each work-item waits once, but in an iteration of its own.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0), x = 0;
    for (int k = 0; k < 4; k++) {
        if (l / 16 == k) {
            x = k + 1;
            barrier(CLK_LOCAL_MEM_FENCE);                // FINDS divergent-barrier
        }
    }
    out[l] = x;
}
kernel void right(global int *out) {
    int l = get_local_id(0), x = 0;
    for (int k = 0; k < 4; k++) {
        if (l / 16 == k)
            x = k + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = x;
}
