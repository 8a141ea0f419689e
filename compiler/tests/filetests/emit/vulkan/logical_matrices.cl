// options: -cl-std=CL3.0 --addressing=logical
// Matrices in buffers that have descriptors: of elements as wide as the components, of others, and of one of two buffers.
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
typedef half MATRIX(16, 16, A) A;
typedef half MATRIX(16, 16, B) B;
typedef float MATRIX(16, 16, ACCUMULATOR) C;

kernel void product(global const half *a, global const half *b, global float *c, global float *d, uint i)
{
    A left = coop_mat_load(a, COLUMNS, 32);
    B right = coop_mat_load(b + i * 16, ROWS, 16);
    int2 first = ((global const int2 *)b)[i];
    C sum = coop_mat_init((float)first.x);
    sum = coop_mat_mulAdd(left, right, sum);
    coop_mat_store(i > 3 ? c : d + 64, sum, ROWS, i);
}
// CHECK: OpCapability CooperativeMatrixKHR
// CHECK: OpMemoryModel Logical Vulkan
// CHECK: OpCooperativeMatrixLoadKHR %32 %27 %12 %28
// CHECK: OpAccessChain %40 %39 %17 %34
// CHECK: OpCooperativeMatrixLoadKHR %44 %41 %17 %42
// CHECK: OpCooperativeMatrixMulAddKHR
// CHECK: OpBranchConditional
// CHECK: OpCooperativeMatrixStoreKHR
// CHECK: OpCooperativeMatrixStoreKHR
