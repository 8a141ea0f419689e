// CHECK: OpSelectionMerge
// CHECK: OpSwitch
// CHECK: OpFunctionEnd
kernel void k(global int *p) {
    switch (p[0]) {
    case 0: p[0] = 5; break;
    case 1: p[1] = 6;
    default: p[2] += 1;
    }
}
