// Atomics on local memory and their results.
// RUN: kernel=k global=32 local=32
// ARG: buffer:bytes=32
// EXPECT 0: int=32,496,31,0,1,32,63,496
kernel void k(global int *out)
{
    local int count, sum, high, low;
    local uint bits;
    local int order[32];
    const int i = get_local_id(0);
    if (i == 0) { count = 0; sum = 0; high = -1; low = 99; bits = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int turn = atomic_inc(&count);
    order[turn] = i;
    atomic_add(&sum, i);
    atomic_max(&high, i);
    atomic_min(&low, i);
    atomic_or(&bits, 1u << i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) {
        int seen = 0;
        for (int k = 0; k < 32; k++) seen += order[k];
        out[0] = count; out[1] = sum; out[2] = high; out[3] = low;
        out[4] = bits == 0xffffffffu; out[5] = popcount(bits); out[6] = atomic_xchg(&high, 5) + count; out[7] = seen;
    }
}
