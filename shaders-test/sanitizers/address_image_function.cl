// A function averages the texels left and right of a pixel without a test for the border.
// LAUNCH: global=8 local=8
// ARG: image=8
// ARG: int=8
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
float blurred(read_only image2d_t image, int x, int radius) {
    float sum = 0;
    for (int k = -radius; k <= radius; k++)
        sum += read_imagef(image, nearest, (int2)(x + k, 0)).x; // FINDS out-of-range
    return sum / (2 * radius + 1);
}
kernel void wrong(read_only image2d_t image, global float *out) {
    int x = get_global_id(0);
    out[x] = blurred(image, x, 1);
}
kernel void right(read_only image2d_t image, global float *out) {
    int x = get_global_id(0);
    out[x] = blurred(image, x, x > 0 && x < 7);
}
