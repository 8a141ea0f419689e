// options: --target=webgpu
// A translator gets constant work-group sizes, arguments in elements of 16 bytes, and no constant that is infinite.
// CHECK: OpExecutionMode ... LocalSize 64 1 1
// CHECK: ArrayStride 16
// CHECK: 2139095040
// CHECK: OpBitwiseOr
// CHECK: OpISub
kernel void k(global float *y, global int *n, int a) {
    size_t i = get_global_id(0);
    y[i] = n[i] ? INFINITY : (float)get_global_size(0);
    n[i] = -n[i] * a;
}
