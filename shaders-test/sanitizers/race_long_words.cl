// A number of eight bytes is summed up while its owner changes it.
// LAUNCH: global=64 local=64
// ARG: int=128
kernel void wrong(global long *out) {
    local long t[64];
    int l = get_local_id(0);
    t[l] = (long)l << 33;                                // FINDS local-race
    out[l] = t[63 - l];                                  // FINDS local-race
}
kernel void right(global long *out) {
    local long t[64];
    int l = get_local_id(0);
    t[l] = (long)l << 33;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l];
}
