// FP_CONTRACT is on by default: a product that is an operand of a sum is one operation with it, which may be fused
// (C99 6.5p8). A pragma in a block holds to the block's end. What is not one expression, and what a cast, an assignment
// or a pragma separates, is two operations; so are halves where the device may not fuse floats either.
// CHECK: OpDecorate ... NoContraction
kernel void k(global float *o, global double *d, float x, float y, float z) {
    // CHECK: OpExtInst ... Fma
    // CHECK-NOT: OpFAdd
    o[0] = x * y + z;
    // CHECK: OpFNegate
    // CHECK: OpExtInst ... Fma
    // CHECK-NOT: OpFSub
    o[1] = z - x * y;
    // CHECK: OpFNegate
    // CHECK: OpExtInst ... Fma
    // CHECK-NOT: OpFSub
    o[2] = (x * y) - z;
    // CHECK: OpExtInst ... Fma
    o[3] += x * y;
    {
#pragma OPENCL FP_CONTRACT OFF
        // CHECK-NOT: OpExtInst
        // CHECK: OpFAdd
        o[4] = y * z + x;
        {
#pragma OPENCL FP_CONTRACT ON
            // CHECK: OpExtInst ... Fma
            o[5] = z * z + x;
        }
        // CHECK-NOT: OpExtInst
        // CHECK: OpFAdd
        o[6] = z * x + z;
    }
    // CHECK: OpExtInst ... Fma
    o[7] = y * y + x;
    // CHECK-NOT: OpExtInst
    float p = x * x;
    // CHECK: OpFAdd
    o[8] = p + z;
    // CHECK: OpFAdd
    o[9] = (float)(y * x) + 1.0f + (z *= y);
    // CHECK: OpFAdd
    d[0] = x * y + d[1];
}
