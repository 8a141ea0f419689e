// Neighbours on grids, bodies, transforms.

kernel void stencil5(global const float *in, global float *out, uint width, uint height)
{
    uint x = get_global_id(0), y = get_global_id(1);
    size_t at = (size_t)y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        out[at] = in[at];
    else
        out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}

kernel void stencil7(global const float *in, global float *out, uint size)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t row = size, slice = row * size, at = z * slice + y * row + x;
    uint last = size - 1;
    float sum = in[at] * -6.0f;
    sum += in[x > 0 ? at - 1 : at] + in[x < last ? at + 1 : at];
    sum += in[y > 0 ? at - row : at] + in[y < last ? at + row : at];
    sum += in[z > 0 ? at - slice : at] + in[z < last ? at + slice : at];
    out[at] = in[at] + 0.1f * sum;
}

// A row of 17 weights along x; work-groups of 16 x 16 load 16 x 32 elements.
kernel void convolve_rows(global const float *in, constant float *weights, global float *out, uint width)
{
    local float tile[16][32];
    uint x = get_local_id(0), y = get_local_id(1), row = get_global_id(1);
    int column = get_global_id(0);
    tile[y][x] = in[row * width + max(column - 8, 0)];
    tile[y][x + 16] = in[row * width + min(column + 8, (int)width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += weights[k] * tile[y][x + k];
    out[row * width + column] = sum;
}

kernel void convolve_columns(global const float *in, constant float *weights, global float *out, uint width,
                             uint height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = -8; k <= 8; k++)
        sum += weights[k + 8] * in[clamp(y + k, 0, (int)height - 1) * width + x];
    out[y * width + x] = sum;
}

kernel void convolve_square(global const float *in, constant float *weights, global float *out, uint width)
{
    uint x = get_global_id(0), y = get_global_id(1), padded = width + 4;
    float sum = 0;
    for (uint j = 0; j < 5; j++)
        for (uint i = 0; i < 5; i++)
            sum += weights[j * 5 + i] * in[(y + j) * padded + x + i];
    out[y * width + x] = sum;
}

kernel void bodies(global const float4 *position, global float4 *force, uint count)
{
    local float4 tile[256];
    size_t i = get_global_id(0);
    float4 own = position[i];
    float3 sum = 0;
    for (uint first = 0; first < count; first += 256) {
        tile[get_local_id(0)] = position[first + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 256; k++) {
            float3 d = tile[k].xyz - own.xyz;
            float r = rsqrt(dot(d, d) + 0.01f);
            sum += d * (tile[k].w * r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    force[i] = (float4)(sum, 0);
}

// The transform of 1024 complex numbers by each work-group of 256 items, radix 2.
kernel void fourier(global const float2 *in, global float2 *out)
{
    local float2 a[1024];
    uint item = get_local_id(0);
    size_t first = get_group_id(0) * 1024;
    for (uint k = item; k < 1024; k += 256) {
        uint reversed = 0;
        for (uint bit = 0; bit < 10; bit++)
            reversed |= (k >> bit & 1) << (9 - bit);
        a[reversed] = in[first + k];
    }
    for (uint size = 1; size < 1024; size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint pair = item; pair < 512; pair += 256) {
            uint low = 2 * pair - (pair & (size - 1)), high = low + size;
            float angle = -M_PI_F * (pair & (size - 1)) / size, c = cos(angle), s = sin(angle);
            float2 x = a[low], y = a[high];
            float2 turned = (float2)(y.x * c - y.y * s, y.x * s + y.y * c);
            a[low] = x + turned;
            a[high] = x - turned;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < 1024; k += 256)
        out[first + k] = a[k];
}

// The nearest of some centres for points of four coordinates.
kernel void nearest(global const float4 *points, constant float4 *centres, uint count, global uint *out)
{
    size_t i = get_global_id(0);
    float4 point = points[i];
    float least = MAXFLOAT;
    uint found = 0;
    for (uint k = 0; k < count; k++) {
        float4 d = point - centres[k];
        float square = dot(d, d);
        if (square < least) {
            least = square;
            found = k;
        }
    }
    out[i] = found;
}
