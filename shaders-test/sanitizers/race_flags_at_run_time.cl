// The flags of a barrier are computed, and name local memory where global memory is meant.
// LAUNCH: global=64 local=64
// ARG: int=128
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    out[l] = l;                                          // FINDS global-race
    barrier(out[127] == 0 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    out[64 + l % 63] = out[63 - l];                      // FINDS global-race
}
kernel void right(global int *out) {
    int l = get_local_id(0);
    out[l] = l;
    barrier(out[127] == 0 ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
    if (l < 63)
        out[64 + l] = out[63 - l];
}
