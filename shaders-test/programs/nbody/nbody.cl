// One leapfrog step of an all-pairs gravity simulation; bodies are staged through local memory a group at a time.
#include "nbody.h"

__kernel void nbody_step(__global const body_t *restrict pos,
                         __global float4 *restrict vel,
                         __global body_t *restrict new_pos,
                         __local body_t *cache,
                         const int count,
                         const float dt)
{
    const int i = get_global_id(0);
    const int lid = get_local_id(0);
    const int width = get_local_size(0);

    const body_t me = pos[i];
    float3 acc = (float3)(0.0f, 0.0f, 0.0f);

    for (int tile = 0; tile < count; tile += width) {
        cache[lid] = pos[tile + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < width; ++j)
            acc += pull(me, cache[j]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    float4 v = vel[i];
    v.xyz += acc * dt;
    vel[i] = v;
    new_pos[i] = (body_t)(me.xyz + v.xyz * dt, me.w);
}
