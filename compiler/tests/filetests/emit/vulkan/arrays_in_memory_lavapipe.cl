// options: --tuning=lavapipe-unrolled-arrays
// 'bits' stays in memory, so Mesa unrolls the loops that index it. Therefore they are not copied for 'steps', whose indices would be
// constants then: there is one loop with two such accesses.
// CHECK: OpFunction
// CHECK: OpLoopMerge
// CHECK: OpLoopMerge
// CHECK: OpLoopMerge
// CHECK-NOT: OpLoopMerge
// CHECK: OpFunctionEnd
kernel void k(global int *out, int n) {
    int steps[4] = {1, 2, 3, 5}, bits[64], sum = 0;
    for (int i = 0; i < 64; i++)
        bits[i] = n >> (i & 31);
    for (int step = 0; step < 4; step++)
        for (int i = 63; i >= 0; i--)
            sum = sum * 3 + bits[i] - bits[(i * steps[step] + n) & 63];
    out[get_global_id(0)] = sum;
}
