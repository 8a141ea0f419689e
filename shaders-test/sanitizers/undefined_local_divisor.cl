// A counter in local memory divides, and no work-item of some groups has counted.
// LAUNCH: global=64 local=16
// ARG: int=64
kernel void wrong(global int *out) {
    local int count;
    int l = get_local_id(0), g = get_global_id(0);
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g > 20 && g % 16 > 12)
        atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = 60 / count;                                 // FINDS division-by-zero
}
kernel void right(global int *out) {
    local int count;
    int l = get_local_id(0), g = get_global_id(0);
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g % 16 > 12)
        atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = 60 / count;
}
