// options: -cl-std=CL3.0 --addressing=logical
// A buffer of vectors of three lanes has scalar elements where matrices are stored, too: drivers count a stride in elements of the
// size of their type. A null pointer is to no memory that a matrix can be in.
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float MATRIX(16, 16, ACCUMULATOR) C;

kernel void places(global const float *in, global float3 *out, uint i)
{
    C x = coop_mat_load(in, ROWS, 16);
    coop_mat_store((global float *)(out + 16), x, ROWS, 16);
    out[i + 1] = out[i] * 2.0f;
    if (i == 77) coop_mat_store((global float *)0, x, ROWS, 16);
}
// CHECK: OpDecorate %22 ArrayStride 4
// CHECK: OpCooperativeMatrixStoreKHR
// CHECK-NOT: ArrayStride 16
