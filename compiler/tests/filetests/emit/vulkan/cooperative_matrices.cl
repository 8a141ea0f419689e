// options: -cl-std=CL3.0
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
typedef half MATRIX(16, 16, A) A;
typedef half MATRIX(16, 16, B) B;
typedef float MATRIX(16, 16, ACCUMULATOR) C;

kernel void product(global const half *a, local half *b, global float *c, uint i)
{
    A left = coop_mat_load(a, COLUMNS, 32);
    B right = coop_mat_load(b, ROWS, 16);
    C sum = coop_mat_init(1);
    sum = coop_mat_mulAdd(left, right, sum);
    sum[i] = 2;
    coop_mat_store(c, sum, ROWS, i);
}
// CHECK: OpCapability VulkanMemoryModel
// CHECK: OpCapability CooperativeMatrixKHR
// CHECK: OpExtension "SPV_KHR_cooperative_matrix"
// CHECK: OpMemoryModel PhysicalStorageBuffer64 Vulkan
// CHECK: OpTypeCooperativeMatrixKHR
// CHECK: OpVariable ... Function
// CHECK: OpCooperativeMatrixLoadKHR ... Aligned 16
// CHECK: OpCooperativeMatrixLoadKHR
// CHECK: OpCooperativeMatrixMulAddKHR
// CHECK: OpStore
// CHECK: OpAccessChain
// CHECK: OpStore
// CHECK: OpLoad
// CHECK: OpUConvert
// CHECK: OpCooperativeMatrixStoreKHR
