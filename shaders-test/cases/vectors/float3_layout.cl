// A three-component vector takes the room of four, in buffers, arrays and structures.
// RUN: kernel=k global=2
// ARG: buffer:float=1,2,3,100,4,5,6,200
// ARG: buffer:bytes=96
// ARG: float3=10,20,30
// EXPECT 1: float=11,22,33,0,16,3,14,25,36,0,16,6
typedef struct { float3 v; float w; } tight;
kernel void k(global const float3 *in, global float *out, float3 add)
{
    const int i = get_global_id(0);
    const float3 s = in[i] + add;
    float3 pair[2] = { s, in[i] };
    out[i * 6 + 0] = pair[0].x;
    out[i * 6 + 1] = pair[0].y;
    out[i * 6 + 2] = pair[0].z;
    tight t = { pair[1], 0.0f };
    out[i * 6 + 3] = t.w;
    out[i * 6 + 4] = sizeof(float3);
    out[i * 6 + 5] = t.v.z;
}
