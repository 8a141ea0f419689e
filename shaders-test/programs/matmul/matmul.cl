// C = A * B for row-major matrices of any size: A is m x k, B is k x n. Each work-group computes one TILE x TILE
// block of C and stages the blocks of A and B in local memory. Rows are padded by one to spread the banks.
#ifndef TILE
#define TILE 16
#endif

#define IN_BOUNDS(row, col, rows, cols) ((row) < (rows) && (col) < (cols))
#define AT(matrix, row, col, pitch) (matrix)[(row) * (pitch) + (col)]

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(__global const float *restrict A,
            __global const float *restrict B,
            __global float *restrict C,
            const uint m, const uint n, const uint k)
{
    __local float tile_a[TILE][TILE + 1];
    __local float tile_b[TILE][TILE + 1];

    const uint lx = get_local_id(0), ly = get_local_id(1);
    const uint col = get_group_id(0) * TILE + lx;
    const uint row = get_group_id(1) * TILE + ly;

    float sum = 0.0f;
    for (uint base = 0; base < k; base += TILE) {
        tile_a[ly][lx] = IN_BOUNDS(row, base + lx, m, k) ? AT(A, row, base + lx, k) : 0.0f;
        tile_b[ly][lx] = IN_BOUNDS(base + ly, col, k, n) ? AT(B, base + ly, col, n) : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);

        #pragma unroll
        for (uint i = 0; i < TILE; ++i)
            sum += tile_a[ly][i] * tile_b[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (IN_BOUNDS(row, col, m, n))
        AT(C, row, col, n) = sum;
}
