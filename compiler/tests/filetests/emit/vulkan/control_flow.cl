// Structured control flow: a merge instruction before each branch that diverges.
// CHECK: OpFunction
// CHECK: OpLoopMerge
// CHECK: OpSelectionMerge
// CHECK: OpSwitch
// CHECK: OpFunctionEnd
kernel void k(global int *p, int n) {
    for (int i = 0; i < n; i++) {
        switch (p[i]) {
        case 0: p[i] = 5; break;
        case 1: p[i + 1] = 6; break;
        default: p[i] += 1;
        }
    }
}
