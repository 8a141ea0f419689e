// Loops whose lengths differ between items.

kernel void mandelbrot(global uint *counts, uint width, float step)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float re = -2.0f + x * step, im = -1.25f + y * step, a = 0, b = 0;
    uint count = 0;
    while (count < 500 && a * a + b * b < 4) {
        float next = a * a - b * b + re;
        b = 2 * a * b + im;
        a = next;
        count++;
    }
    counts[y * width + x] = count;
}

// Steps until the sequence of Collatz reaches 1.
kernel void collatz(global uint *steps, uint first)
{
    uint i = get_global_id(0);
    ulong n = (ulong)i + first;
    uint count = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        count++;
    }
    steps[i] = count;
}

// Spheres of which a ray meets the nearest one; the normal's direction is the shade.
kernel void spheres(global const float4 *scene, uint count, global float *shade, uint width)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float3 ray = normalize((float3)(x / (float)width - 0.5f, y / (float)width - 0.5f, 1.0f));
    float nearest = 1e9f, result = 0;
    for (uint k = 0; k < count; k++) {
        float4 sphere = scene[k];
        float along = dot(ray, sphere.xyz);
        float square = along * along - dot(sphere.xyz, sphere.xyz) + sphere.w * sphere.w;
        if (square < 0)
            continue;
        float distance_to = along - sqrt(square);
        if (distance_to > 0 && distance_to < nearest) {
            nearest = distance_to;
            result = fabs(dot(ray * distance_to - sphere.xyz, ray)) / sphere.w;
        }
    }
    shade[y * width + x] = result;
}

// A small machine with eight instructions, the same for all items, on different data.
kernel void interpreter(global const uchar *code, uint length, global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint a = in[i], b = (uint)i, c = 1;
    for (uint round = 0; round < 16; round++)
        for (uint at = 0; at < length; at++)
            switch (code[at] & 7) {
            case 0: a += b; break;
            case 1: b ^= a >> 3; break;
            case 2: c = a * 5 + 1; break;
            case 3: a = rotate(a, 7u); break;
            case 4: if (c & 1) b++; break;
            case 5: c -= b; break;
            case 6: b = max(a, c); break;
            default: a ^= c; break;
            }
    out[i] = a + b + c;
}
