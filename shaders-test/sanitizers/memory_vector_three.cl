// The third component of a colour is set only for bright ones.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float3 colour;
    colour.xy = (float2)(i, 8 - i) / 8;
    if (i > 4)
        colour.z = 1;
    float grey = colour.x * 0.3f + colour.y * 0.6f + colour.z * 0.1f;
    out[i] = grey;                                       // FINDS uninitialized
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float3 colour = 0;
    colour.xy = (float2)(i, 8 - i) / 8;
    if (i > 4)
        colour.z = 1;
    float grey = colour.x * 0.3f + colour.y * 0.6f + colour.z * 0.1f;
    out[i] = grey;
}
