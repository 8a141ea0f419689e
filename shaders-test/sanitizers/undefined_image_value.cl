// The brightness of an empty image divides.
// LAUNCH: global=8 local=8
// ARG: image=8
// ARG: int=8
kernel void wrong(read_only image2d_t image, global int *out) {
    int x = get_global_id(0);
    float4 texel = read_imagef(image, (int2)(x, 0));
    out[x] = (int)(1.0f / texel.y);                      // FINDS conversion-range
}
kernel void right(read_only image2d_t image, global int *out) {
    int x = get_global_id(0);
    float4 texel = read_imagef(image, (int2)(x, 0));
    out[x] = (int)(1.0f / (texel.y + 0.5f));
}
