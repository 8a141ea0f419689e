// A sampler with CLK_ADDRESS_NONE promises that no coordinate is outside of the image (OpenCL C 6.15.15).
// LAUNCH: global=8 local=8
// ARG: image=8
// ARG: int=32
constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void wrong(read_only image2d_t image, global float4 *a) {
    int i = get_global_id(0);
    a[i] = read_imagef(image, none, (int2)(i + 1, 0));   // FINDS out-of-range
}
kernel void right(read_only image2d_t image, global float4 *a) {
    int i = get_global_id(0);
    a[i] = read_imagef(image, none, (int2)(i, 0)) + read_imagef(image, edge, (int2)(i + 1, 0));
}
