// What is known is computed here: one store of 42 (3 * 14), and no arithmetic.
// CHECK: OpConstant ... 42$
// CHECK: OpFunction
// CHECK-NOT: OpIMul
// CHECK-NOT: OpSelect
// CHECK-NOT: OpBranchConditional
// CHECK: OpStore
// CHECK-NOT: OpStore
int pick(int which) { return which == 2 ? 14 : 15; }
kernel void k(global int *p) {
    int a = 3;
    if (sizeof(long) == 8) p[0] = a * pick(a - 1);
    else p[1] = 7;
}
