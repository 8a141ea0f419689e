// A work-item returns from the middle of a loop in which the others wait.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    for (int k = 1; k < 6; k++) {
        out[l] = k;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
        if (l == 11 * k)
            return;
    }
}
kernel void right(global int *out) {
    int l = get_local_id(0);
    bool ended = false;
    for (int k = 1; k < 6; k++) {
        if (!ended)
            out[l] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        ended |= l == 11 * k;
    }
}
