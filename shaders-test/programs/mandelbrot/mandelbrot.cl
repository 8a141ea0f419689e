// The Mandelbrot set, coloured from a palette with smooth interpolation between its entries.
#pragma OPENCL FP_CONTRACT OFF

#define MAX_ITER 255
#define ESCAPE 16.0f

__constant float3 palette[] = {
    (float3)(0.00f, 0.03f, 0.39f), (float3)(0.13f, 0.42f, 0.80f), (float3)(0.93f, 1.00f, 1.00f),
    (float3)(1.00f, 0.67f, 0.00f), (float3)(0.20f, 0.05f, 0.10f), (float3)(0.05f, 0.00f, 0.20f),
};
#define PALETTE_SIZE ((int)(sizeof(palette) / sizeof(palette[0])))

typedef struct {
    float2 centre;
    float scale; /* width of a pixel */
    int width, height;
} view_t;

static int escape_time(float2 c, float2 *last)
{
    float2 z = (float2)(0.0f);
    int n = 0;
    do {
        const float2 sq = z * z;
        if (sq.x + sq.y > ESCAPE)
            break;
        z = (float2)(sq.x - sq.y, 2.0f * z.x * z.y) + c;
    } while (++n < MAX_ITER);
    *last = z;
    return n;
}

static uchar4 colour(int n, float2 z)
{
    if (n == MAX_ITER)
        return (uchar4)(0, 0, 0, 255);
    const float smooth = (float)n + 1.0f - log2(0.5f * log2(dot(z, z)));
    const float t = fmax(smooth, 0.0f) * 0.11f;
    const int i = (int)t;
    const float3 rgb = mix(palette[i % PALETTE_SIZE], palette[(i + 1) % PALETTE_SIZE], t - (float)i);
    return (uchar4)(convert_uchar3(clamp(rgb, 0.0f, 1.0f) * 255.0f), 255);
}

__kernel void mandelbrot(__global uchar4 *pixels, __global uchar *iterations, const view_t view)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= view.width || y >= view.height)
        return;
    const float2 offset = (float2)(x - view.width / 2, y - view.height / 2);
    float2 z;
    const int n = escape_time(view.centre + view.scale * offset, &z);
    pixels[y * view.width + x] = colour(n, z);
    iterations[y * view.width + x] = (uchar)n;
}
