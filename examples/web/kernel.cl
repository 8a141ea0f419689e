// The model of Gray and Scott of two substances, u and v, that spread in a plane and react with each other.
// A cell of the plane is a float2 (u, v). The plane's left border continues at the right one, its top at the bottom.

#define TILE 16            // cells of a work-group along each side
#define CELLS 4            // cells of a work-item
#define EDGED (TILE + 2)   // the same with the cells around them

static uint hash(uint x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static int wrap(int at, int size) {
    return at < 0 ? at + size : at >= size ? at - size : at;
}

// Fills the plane with u, and about one in `rarity` squares of 8 cells with a mixture.
kernel void sow(global float2 *cells, int width, int height, uint seed, uint rarity) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const uint square = (y / 8) * ((width + 7) / 8) + x / 8;
    cells[y * width + x] = hash(square + seed) % rarity == 0 ? (float2)(0.5f, 0.25f) : (float2)(1.0f, 0.0f);
}

// Adds v in a circle.
kernel void touch(global float2 *cells, int width, int height, float2 centre, float radius) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height && distance((float2)(x, y), centre) < radius)
        cells[y * width + x] = (float2)(0.5f, 0.25f);
}

// One step of time. A work-group reads a square of cells and those around it once, into local memory; each work-item
// computes CELLS of them, one below the other.
kernel __attribute__((reqd_work_group_size(TILE, TILE / CELLS, 1)))
void react(global const float2 *now, global float2 *next, int width, int height, float feed, float kill) {
    local float2 tile[EDGED][EDGED];
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    for (int i = get_local_id(1) * TILE + get_local_id(0); i < EDGED * EDGED; i += TILE * TILE / CELLS) {
        // A square at the border may hold cells outside of the plane, which nothing reads.
        const int x = min(wrap(left + i % EDGED - 1, width), width - 1);
        const int y = min(wrap(top + i / EDGED - 1, height), height - 1);
        tile[i / EDGED][i % EDGED] = now[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int i = get_local_id(0) + 1, x = left + i - 1, first = get_local_id(1) * CELLS + 1;
    for (int j = first; j < first + CELLS; j++) {
        const int y = top + j - 1;
        if (x >= width || y >= height)
            break;
        const float2 cell = tile[j][i];
        const float2 sides = tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i];
        const float2 corners = tile[j - 1][i - 1] + tile[j - 1][i + 1] + tile[j + 1][i - 1] + tile[j + 1][i + 1];
        const float2 spread = (0.2f * sides + 0.05f * corners - cell) * (float2)(1.0f, 0.5f);
        const float reaction = cell.x * cell.y * cell.y;
        const float2 change = (float2)(feed * (1.0f - cell.x) - reaction, reaction - (feed + kill) * cell.y);
        next[y * width + x] = cell + spread + change;
    }
}

// Colours of the cells from three colours of v, with light from the top left; red is the lowest byte of a pixel.
kernel void paint(global const float2 *cells, global uint *pixels, int width, int height, float4 low, float4 middle,
                  float4 high) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const float v = cells[y * width + x].y;
    const float slope = cells[y * width + wrap(x + 1, width)].y - cells[y * width + wrap(x - 1, width)].y
                      + cells[wrap(y + 1, height) * width + x].y - cells[wrap(y - 1, height) * width + x].y;
    float4 colour = mix(low, middle, smoothstep(0.02f, 0.2f, v));
    colour = mix(colour, high, smoothstep(0.2f, 0.4f, v));
    colour.xyz += 0.6f * slope;
    pixels[y * width + x] = as_uint(convert_uchar4_sat_rte(255.0f * colour));
}

// The sums of v of each work-group, whose size is a power of two; `partial` has an element for each work-item.
kernel void measure(global const float2 *cells, global float *sums, int count, local float *partial) {
    const uint me = get_local_id(0);
    float sum = 0.0f;
    for (int i = get_global_id(0); i < count; i += get_global_size(0))
        sum += cells[i].y;
    partial[me] = sum;
    for (uint rest = get_local_size(0) / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < rest)
            partial[me] += partial[me + rest];
    }
    if (me == 0)
        sums[get_group_id(0)] = partial[0];
}
