// Matrix products, all of square matrices in row order.

kernel void naive(global const float *a, global const float *b, global float *c, uint size)
{
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < size; k++)
        sum += a[row * size + k] * b[k * size + column];
    c[row * size + column] = sum;
}

#define TILE 16

kernel void tiled(global const float *a, global const float *b, global float *c, uint size)
{
    local float left[TILE][TILE], right[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint tile = 0; tile < size; tile += TILE) {
        left[y][x] = a[row * size + tile + x];
        right[y][x] = b[(tile + y) * size + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * size + column] = sum;
}

// Each item makes 4 x 4 elements of a block of 64 x 64.
kernel void blocked(global const float *a, global const float *b, global float *c, uint size)
{
    local float left[16][64], right[16][64];
    uint x = get_local_id(0), y = get_local_id(1), item = y * 16 + x;
    uint column = get_group_id(0) * 64, row = get_group_id(1) * 64;
    float sums[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            sums[i][j] = 0;
    for (uint tile = 0; tile < size; tile += 16) {
        for (uint i = 0; i < 4; i++) {
            uint at = i * 256 + item;
            left[at & 15][at >> 4] = a[(row + (at >> 4)) * size + tile + (at & 15)];
            right[at >> 6][at & 63] = b[(tile + (at >> 6)) * size + column + (at & 63)];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++) {
            float l[4], r[4];
            for (int i = 0; i < 4; i++) {
                l[i] = left[k][y * 4 + i];
                r[i] = right[k][x * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sums[i][j] += l[i] * r[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(row + y * 4 + i) * size + column + x * 4 + j] = sums[i][j];
}

kernel void vector_by_item(global const float *a, global const float *x, global float *y, uint columns)
{
    size_t row = get_global_id(0);
    float sum = 0;
    for (uint k = 0; k < columns; k++)
        sum += a[row * columns + k] * x[k];
    y[row] = sum;
}

kernel void vector_by_group(global const float *a, global const float *x, global float *y, uint columns)
{
    local float sums[256];
    uint item = get_local_id(0);
    size_t row = get_group_id(0);
    float sum = 0;
    for (uint k = item; k < columns; k += 256)
        sum += a[row * columns + k] * x[k];
    sums[item] = sum;
    for (uint half_of = 128; half_of > 0; half_of >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_of)
            sums[item] += sums[item + half_of];
    }
    if (item == 0)
        y[row] = sums[0];
}

// Rows of different lengths: `starts` has the first entry of each row, and the end.
kernel void sparse(global const uint *starts, global const uint *columns, global const float *values,
                   global const float *x, global float *y)
{
    size_t row = get_global_id(0);
    float sum = 0;
    for (uint k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}
