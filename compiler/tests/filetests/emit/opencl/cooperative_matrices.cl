// target: opencl3.0
// options: -cl-std=CL3.0
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
typedef char MATRIX(16, 32, A) A;
typedef uchar MATRIX(32, 16, B) B;
typedef int MATRIX(16, 16, ACCUMULATOR) C;

kernel void product(global const char *a, local uchar *b, global int *c)
{
    A left = coop_mat_load(a, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 32);
    B right = coop_mat_load(b, CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR, 32);
    C sum = coop_mat_init(0);
    sum = coop_mat_mulAdd(left, right, sum, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
    coop_mat_store((global int4 *)c, sum * coop_mat_length(sum), CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 4);
}
// CHECK: OpCapability CooperativeMatrixKHR
// CHECK: OpExtension "SPV_KHR_cooperative_matrix"
// CHECK: OpCooperativeMatrixLoadKHR
// CHECK: OpCooperativeMatrixLoadKHR
// CHECK: OpCooperativeMatrixMulAddKHR ... ...MATRIX_A_SIGNED_COMPONENTS_KHR | MATRIX_C_SIGNED_COMPONENTS_KHR | MATRIX_RESULT_SIGNED_COMPONENTS_KHR | SATURATING_ACCUMULATION_KHR...
// CHECK: OpCooperativeMatrixLengthKHR
// CHECK: OpIMul
// CHECK: OpCooperativeMatrixStoreKHR
