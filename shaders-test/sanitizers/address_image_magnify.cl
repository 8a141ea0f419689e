// Each texel is written twice as wide to an image of the same width.
// LAUNCH: global=8 local=4
// ARG: image=8
kernel void wrong(write_only image2d_t image) {
    int x = get_global_id(0), width = get_image_width(image);
    for (int k = 0; k < 2 && x < width; k++)
        write_imagef(image, (int2)(2 * x + k, 0), (float4)(0.5f)); // FINDS out-of-range
}
kernel void right(write_only image2d_t image) {
    int x = get_global_id(0), width = get_image_width(image);
    for (int k = 0; k < 2 && 2 * x + k < width; k++)
        write_imagef(image, (int2)(2 * x + k, 0), (float4)(0.5f));
}
