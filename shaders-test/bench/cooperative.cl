// Products of square matrices of halves with sums of floats, in row order. The size is a multiple of 256.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// A work-group of 256 makes a block of 128 x 128 elements, each item 8 x 8 in four parts.
void multiply(
    global const half *a, global const half *b, global float *c, uint size, uint row, local float *left, local float *right)
{
    uint t = get_local_id(0), x = t % 16, y = t / 16, column = get_group_id(0) * 128;
    float sums[8][8];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            sums[i][j] = 0;
    for (uint k = 0; k < size; k += 16) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float8 p = vload_half8(0, a + (row + t / 2) * size + k + t % 2 * 8);
        float8 q = vload_half8(0, b + (k + t / 16) * size + column + t % 16 * 8);
        for (int i = 0; i < 8; i++)
            left[(t % 2 * 8 + i) * 132 + t / 2] = p[i];
        vstore8(q, 0, right + t / 16 * 128 + t % 16 * 8);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int kk = 0; kk < 16; kk++) {
            float8 l = (float8)(vload4(0, left + kk * 132 + y * 4), vload4(0, left + kk * 132 + 64 + y * 4));
            float8 r = (float8)(vload4(0, right + kk * 128 + x * 4), vload4(0, right + kk * 128 + 64 + x * 4));
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    sums[i][j] = mad(l[i], r[j], sums[i][j]);
        }
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            c[(row + i / 4 * 64 + y * 4 + i % 4) * size + column + j / 4 * 64 + x * 4 + j % 4] = sums[i][j];
}

kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void blocked(global const half *a, global const half *b, global float *c, uint size)
{
    local float left[16 * 132], right[16 * 128];
    multiply(a, b, c, size, get_group_id(1) * 128, left, right);
}

#ifdef cl_khr_cooperative_matrix
#define MATRIX(use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 16, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef half MATRIX(A) left_matrix;
typedef half MATRIX(B) right_matrix;
typedef float MATRIX(ACCUMULATOR) sum_matrix;
// Rows in local memory, padded so that neighbouring ones are in different banks: of 32 and of 128 halves.
#define LEFT 40
#define RIGHT 136
#endif

// Cooperative matrices: eight sub-groups of 32 make 64 x 64 elements each. Tiles of 256 x 32 and 32 x 128 are in local
// memory, and the next ones are loaded while these are multiplied. A driver without them multiplies as `blocked` does.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void cooperative(global const half *a, global const half *b, global float *c, uint size)
{
#ifdef cl_khr_cooperative_matrix
    local uint4 left[256 * LEFT / 8], right[32 * RIGHT / 8];
    uint t = get_local_id(0), row = get_group_id(1) * 256, column = get_group_id(0) * 128;
    uint first_row = t / 64 * 64, first_column = t / 32 % 2 * 64;
    sum_matrix sums[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            sums[i][j] = coop_mat_init(0);
    uint4 next_left[4], next_right[2];
    for (int i = 0; i < 4; i++) {
        uint at = t + i * 256;
        next_left[i] = *(global const uint4 *)(a + (row + at / 4) * size + at % 4 * 8);
    }
    for (int i = 0; i < 2; i++) {
        uint at = t + i * 256;
        next_right[i] = *(global const uint4 *)(b + at / 16 * size + column + at % 16 * 8);
    }
    for (uint k = 0; k < size; k += 32) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 4; i++) {
            uint at = t + i * 256;
            left[at / 4 * (LEFT / 8) + at % 4] = next_left[i];
        }
        for (int i = 0; i < 2; i++) {
            uint at = t + i * 256;
            right[at / 16 * (RIGHT / 8) + at % 16] = next_right[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint next = k + 32 < size ? k + 32 : k;
        for (int i = 0; i < 4; i++) {
            uint at = t + i * 256;
            next_left[i] = *(global const uint4 *)(a + (row + at / 4) * size + next + at % 4 * 8);
        }
        for (int i = 0; i < 2; i++) {
            uint at = t + i * 256;
            next_right[i] = *(global const uint4 *)(b + (next + at / 16) * size + column + at % 16 * 8);
        }
        for (int kk = 0; kk < 32; kk += 16) {
            left_matrix l[4];
            right_matrix r[4];
            for (int i = 0; i < 4; i++)
                l[i] = coop_mat_load((local const half *)left + (first_row + i * 16) * LEFT + kk, ROWS, LEFT);
            for (int j = 0; j < 4; j++)
                r[j] = coop_mat_load((local const half *)right + kk * RIGHT + first_column + j * 16, ROWS, RIGHT);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sums[i][j] = coop_mat_mulAdd(l[i], r[j], sums[i][j]);
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            uint place = (row + first_row + i * 16) * size + column + first_column + j * 16;
            coop_mat_store(c + place, sums[i][j], ROWS, size);
        }
#else
    local float left[16 * 132], right[16 * 128];
    for (uint row = 0; row < 256; row += 128)
        multiply(a, b, c, size, get_group_id(1) * 256 + row, left, right);
#endif
}
