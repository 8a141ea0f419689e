// Loops that accumulate in memory, whose counters are doubled, with literals of double and with constant powers, and arrays of
// counters in private memory.

typedef struct { float v, x, y, z; } body;

// Each work-item adds to a structure behind a pointer in each of its iterations.
kernel void forces(global const body *bodies, global body *forces, uint count)
{
    local body tile[64];
    size_t i = get_global_id(0);
    body me = bodies[i];
    for (uint from = 0; from < count; from += 64) {
        tile[get_local_id(0)] = bodies[from + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 64; k++) {
            float x = me.x - tile[k].x, y = me.y - tile[k].y, z = me.z - tile[k].z;
            float weight = tile[k].v / (x * x + y * y + z * z + 0.5f);
            forces[i].v += weight;
            forces[i].x += weight * x;
            forces[i].y += weight * y;
            forces[i].z += weight * z;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// The result may overlap the data.
kernel void means(global float *data, global float *means, uint rows)
{
    size_t column = get_global_id(0), columns = get_global_size(0);
    means[column] = 0;
    for (uint row = 0; row < rows; row++)
        means[column] += data[row * columns + column];
    means[column] /= rows;
}

// Sums of 16 rows of 16.
kernel void tree(global const float *in, global float *out)
{
    local float values[256];
    int x = get_local_id(0), y = get_local_id(1);
    size_t group = get_group_id(0);
    values[y * 16 + x] = in[group * 256 + y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance <= 8; distance *= 2) {
        if (y % (distance * 2) == 0)
            values[y * 16 + x] += values[(y + distance) * 16 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (y == 0)
        out[group * 16 + x] = values[x];
}

kernel void literals(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i], y = 0;
    for (int k = 0; k < 64; k++) {
        y = y * 0.5;
        y = y + x;
        if (y > 0.75)
            y = 1.0 - y;
        x = x * 1.5;
        if (x >= 1e9)
            x = x - 1e9;
    }
    out[i] = y;
}

kernel void powers(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i], sum = 0;
    for (int k = 0; k < 64; k++) {
        sum += pow(x, 2) - pown(x, 3);
        x = pow(x - 0.5f, 2.0f) + 0.3f;
    }
    out[i] = sum;
}

// How often each digit is among the work-item's numbers, times its place.
kernel void digits(global const uint *in, global uint *out, uint each)
{
    uint counters[16];
    for (int k = 0; k < 16; k++)
        counters[k] = 0;
    size_t i = get_global_id(0), size = get_global_size(0);
    for (uint k = 0; k < each; k++) {
        uint value = in[k * size + i];
        for (int shift = 0; shift < 32; shift += 4)
            counters[value >> shift & 15]++;
    }
    uint sum = 0;
    for (int k = 0; k < 16; k++)
        sum = sum * 31 + counters[k];
    out[i] = sum;
}
