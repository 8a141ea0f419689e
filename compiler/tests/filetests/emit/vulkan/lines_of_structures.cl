// options: -g
// The branch of an `if` and the head of a loop are on the lines where the statements are, not on those of the last
// instruction inside.
kernel void k(global int *a, int n) {
    int x = 0;
    for (int i = 0; i < n; i++) {
        if (a[i + 1] > 5) {
            a[i + 2] = 3;
        }
        else
            x += 2;
    }
    a[7] = x;
}
// CHECK: OpFunction
// CHECK: OpLine ... 6 14$
// CHECK: OpLoopMerge
// CHECK: OpLine ... 7 13$
// CHECK-NOT: OpLine
// CHECK: OpSelectionMerge
// CHECK: OpLine ... 8 13$
// CHECK: OpStore
// CHECK: OpLine ... 11 13$
// CHECK: OpLine ... 13 5$
