// Generic pointers (OpenCL C 2.0).

float sum_of(const float *a, int count)
{
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k];
    return sum;
}

kernel void sums(global const float *in, global float *out, uint flags)
{
    local float shared[256];
    size_t i = get_global_id(0);
    uint item = get_local_id(0);
    float own[16];
    shared[item] = in[i];
    for (int k = 0; k < 16; k++)
        own[k] = in[i + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float *from = flags & 1 ? (const float *)own : flags & 2 ? (const float *)&shared[item & ~15] : &in[i];
    out[i] = sum_of(own, 16) + sum_of(&shared[item & ~15], 16) + sum_of(&in[i], 16) + sum_of(from, 16);
}
