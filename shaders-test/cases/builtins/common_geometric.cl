// Common and geometric functions.
// RUN: kernel=k global=4
// ARG: buffer:float=0.25,-1.5,3,0.75
// ARG: buffer:float=1,2,-4,0.5
// ARG: buffer:bytes=512
// TOLERANCE: float 1e-6
// EXPECT: pocl
kernel void k(global const float *a, global const float *b, global float *out)
{
    const int i = get_global_id(0);
    const float x = a[i], y = b[i];
    const float3 p = (float3)(x, y, 2), q = (float3)(y, -x, 0.5f);
    global float *o = out + i * 32;
    o[0] = clamp(x, -1.0f, 1.0f); o[1] = degrees(x); o[2] = radians(y); o[3] = max(x, y); o[4] = min(x, y);
    o[5] = mix(x, y, 0.25f); o[6] = step(x, y); o[7] = smoothstep(0.0f, 1.0f, x); o[8] = sign(x);
    o[9] = dot(p, q); o[10] = length(p); o[11] = distance(p, q); o[12] = normalize(p).y; o[13] = cross(p, q).z;
    o[15] = mix(p, q, 0.5f).x; o[16] = clamp(p, 0.0f, 1.0f).y; o[17] = max(p, 0.5f).x;
    o[18] = cross((float4)(p, 9), (float4)(q, 9)).w; o[19] = dot(x, y); o[20] = normalize(x); o[21] = step(0.5f, p).x;
}
