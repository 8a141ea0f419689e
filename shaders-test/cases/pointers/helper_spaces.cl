// The same helper logic for private, local, global and constant pointers, with output parameters.
// RUN: kernel=k global=4 local=2
// ARG: buffer:int=4,3,2,1
// ARG: buffer:bytes=64
// EXPECT: pocl
constant int limits[2] = { 2, 3 };
#define MAKE(space) \
    static void minmax_##space(space const int *v, int n, int *lo, int *hi) \
    { \
        *lo = *hi = v[0]; \
        for (int i = 1; i < n; i++) { *lo = min(*lo, v[i]); *hi = max(*hi, v[i]); } \
    }
MAKE(global) MAKE(local) MAKE(private) MAKE(constant)
kernel void k(global const int *in, global int *out)
{
    local int shared[2];
    const int i = get_global_id(0), l = get_local_id(0);
    shared[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int own[3] = { i, 5 - i, 2 }, lo[4], hi[4];
    minmax_global(in, 4, lo, hi);
    minmax_local(shared, 2, &lo[1], &hi[1]);
    minmax_private(own, 3, lo + 2, hi + 2);
    minmax_constant(limits, 2, &lo[3], &hi[3]);
    out[i * 4] = lo[0] + hi[0] * 10;
    out[i * 4 + 1] = lo[1] + hi[1] * 10;
    out[i * 4 + 2] = lo[2] + hi[2] * 10;
    out[i * 4 + 3] = lo[3] + hi[3] * 10;
}
