// Barriers in uniform loops and branches, for local and for global memory.
// RUN: kernel=k global=64 local=32
// ARG: buffer:bytes=256
// ARG: buffer:bytes=256
// EXPECT: pocl
kernel void k(global int *out, global int *scratch)
{
    local int a[32], b[32];
    const int l = get_local_id(0), g = get_global_id(0);
    const int base = get_group_id(0) * 32;
    a[l] = g;
    local int *from = a, *to = b;
    for (int d = 1; d < 32; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        to[l] = from[l] + (l >= d ? from[l - d] : 0);
        local int *t = from;
        from = to;
        to = t;
    }
    scratch[g] = from[l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    int v = scratch[base + 31 - l];
    if (get_group_id(0) == 1) {
        a[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        v += a[l ^ 1];
    }
    out[g] = v;
}
