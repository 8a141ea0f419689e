// Filters of images through samplers.

constant sampler_t NEAREST = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t LINEAR = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void blur(read_only image2d_t in, constant float *weights, global float4 *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            sum += weights[(j + 2) * 5 + i + 2] * read_imagef(in, NEAREST, (int2)(x + i, y + j));
    out[y * get_global_size(0) + x] = sum;
}

kernel void zoom(read_only image2d_t in, global float4 *out)
{
    float2 at = (float2)((get_global_id(0) + 0.5f) / get_global_size(0), (get_global_id(1) + 0.5f) / get_global_size(1));
    float4 sum = 0;
    for (int k = 0; k < 4; k++)
        sum += read_imagef(in, LINEAR, at * (0.5f + 0.125f * k));
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

// Bytes of pixels to grey, with saturation.
kernel void grey(global const uchar4 *in, global uchar *out)
{
    size_t i = get_global_id(0);
    float4 pixel = convert_float4(in[i]);
    out[i] = convert_uchar_sat_rte(dot(pixel, (float4)(0.299f, 0.587f, 0.114f, 0)) * 1.1f);
}
