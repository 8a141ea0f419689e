// A colour without alpha is written to an image.
// LAUNCH: global=8 local=8
// ARG: image=8
kernel void wrong(write_only image2d_t image) {
    float4 colour;
    int x = get_global_id(0);
    colour.xyz = (float3)(1, 0.5f, 0);
    write_imagef(image, (int2)(x, 0), colour);           // FINDS uninitialized
}
kernel void right(write_only image2d_t image) {
    float4 colour;
    int x = get_global_id(0);
    colour.xyz = (float3)(1, 0.5f, 0);
    colour.w = 1;
    write_imagef(image, (int2)(x, 0), colour);
}
