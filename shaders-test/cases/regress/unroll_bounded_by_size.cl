// A loop with a hint to unroll whose length the size of the work-group bounds: lavapipe 25.0.7 crashes where it makes a nested
// condition of each iteration. Every work-item adds up what the group has, which the barriers change.
// RUN: kernel=total global=96 local=96
// ARG: uint=96
// ARG: local:bytes=384
// ARG: buffer:uint=0..96
// EXPECT: pocl
kernel void total(const uint count, local uint *tmp, global uint *data)
{
    const uint lid = get_local_id(0), offset = get_group_id(0) * get_local_size(0);
    const uint n = min((uint)get_local_size(0), count - offset);
    uint mine = data[get_global_id(0)];
    tmp[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
#pragma unroll
    for (uint i = 0; i < n; i++) {
        uint other = tmp[(lid + i) % n];
        sum = other > mine ? sum + other : sum * 3 + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        tmp[lid] = other ^ sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[get_global_id(0)] = sum;
}
