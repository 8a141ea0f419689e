// Values are exchanged through global memory, and the barrier names local memory.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *scratch, global int *out) {
    int l = get_local_id(0);
    scratch[l] = 3 * l;                                  // FINDS global-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = scratch[63 - l];                            // FINDS global-race
}
kernel void right(global int *scratch, global int *out) {
    int l = get_local_id(0);
    scratch[l] = 3 * l;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[l] = scratch[63 - l];
}
