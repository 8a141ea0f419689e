// Vulkan's divisions and square roots need not be rounded correctly: where that is asked for, the library has those that are,
// one call a lane. Doubles are rounded correctly by the devices.
// options: -cl-fp32-correctly-rounded-divide-sqrt
// CHECK: OpName ... "__clforge_sqrt_f32"
// CHECK: OpName ... "__clforge_divide_f32"
// CHECK: OpFunction
// CHECK-NOT: OpFDiv
// CHECK-NOT: Sqrt
// CHECK: OpFunctionCall
// CHECK: OpFunctionCall
// CHECK: OpFunctionCall
// CHECK: OpFunctionCall
// CHECK: OpFDiv
// CHECK: OpFunctionEnd
kernel void k(global float2 *a, global float *b, global double *c) {
    b[0] = sqrt(b[1]);
    b[2] = sqrt(b[3]);
    a[0] = a[1] / a[2];
    c[0] = c[1] / c[2];
}
