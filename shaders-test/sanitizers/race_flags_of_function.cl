// A function waits with the flags that it is given. Those of global memory do not order local memory.
// LAUNCH: global=64 local=64
// ARG: int=64
void meet(cl_mem_fence_flags flags) {
    barrier(flags);
}
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;                                            // FINDS local-race
    meet(CLK_GLOBAL_MEM_FENCE);
    out[l] = t[63 - l];                                  // FINDS local-race
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    meet(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l];
    meet(CLK_GLOBAL_MEM_FENCE);
}
