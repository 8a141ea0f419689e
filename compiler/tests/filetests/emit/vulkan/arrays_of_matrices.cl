// options: -cl-std=CL3.0
// Matrices are variables where the index is not known, and a variable with halves needs Float16.
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef half MATRIX(16, 16, A) A;
typedef half MATRIX(16, 16, B) B;
typedef float MATRIX(16, 16, ACCUMULATOR) C;

kernel void sums(global const half *a, global const half *b, global float *c, uint n)
{
    A left[3];
    for (uint i = 0; i < n; i++)
        left[i % 3] = coop_mat_load(a + 256 * i, ROWS, 16);
    B right = coop_mat_load(b, ROWS, 16);
    C sum = coop_mat_init(0);
    for (uint i = 0; i < n; i++)
        sum = coop_mat_mulAdd(left[i * i % 3], right, sum);
    coop_mat_store(c, sum, ROWS, 16);
}
// CHECK: OpCapability Float16
// CHECK: OpTypeArray
// CHECK: OpTypePointer Function
