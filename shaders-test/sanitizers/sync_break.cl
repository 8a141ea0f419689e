// A work-item that has found its element leaves the loop before the others.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0), at = 0;
    for (at = 0; at < 8; at++) {
        if (at * 3 > l)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    }
    out[l] = at;
}
kernel void right(global int *out) {
    int l = get_local_id(0), at = 8;
    for (int k = 0; k < 8; k++) {
        if (k * 3 > l && at == 8)
            at = k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = at;
}
