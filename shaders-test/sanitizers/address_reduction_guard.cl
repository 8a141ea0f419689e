// All work-items of a reduction add the element half a group above, the upper half, too.
// LAUNCH: global=128 local=64
// ARG: int=128
// ARG: local=256
kernel void wrong(global int *a, local int *t) {
    uint l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    for (uint s = 32; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int other = t[l + s];                            // FINDS out-of-range
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += other;
    }
    a[get_global_id(0)] = t[l];
}
kernel void right(global int *a, local int *t) {
    uint l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    for (uint s = 32; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int other = l < s ? t[l + s] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += other;
    }
    a[get_global_id(0)] = t[l];
}
