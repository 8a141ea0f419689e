// Atomics on global and local memory.

kernel void histogram_global(global const uint *in, global uint *bins)
{
    atomic_inc(&bins[in[get_global_id(0)] & 255]);
}

kernel void histogram_local(global const uint *in, global uint *bins, uint each)
{
    local uint own[256];
    uint item = get_local_id(0);
    own[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < each; k++)
        atomic_inc(&own[in[k * get_global_size(0) + get_global_id(0)] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[item], own[item]);
}

// A sum of floats with exchanges; whole numbers, so that the order does not matter.
kernel void sum_by_exchange(global const uint *in, global uint *sums)
{
    size_t i = get_global_id(0);
    global uint *sum = &sums[i & 1023];
    float value = in[i] & 3;
    uint old = *sum, seen;
    while ((seen = atomic_cmpxchg(sum, old, as_uint(as_float(old) + value))) != old)
        old = seen;
}

kernel void maximum(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    atomic_max(&out[i & 63], in[i]);
}
