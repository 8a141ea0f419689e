// Vulkan counts the bits of 32-bit integers; narrower ones are extended, wider ones are counted in halves.
// CHECK: OpBitCount
kernel void k(global uint *a, global ulong *b, global uchar *c) {
    a[0] = popcount(a[1]);
    // CHECK: OpBitCount
    // CHECK: OpBitCount
    // CHECK: OpIAdd
    b[0] = popcount(b[1]);
    // CHECK: OpBitCount
    c[0] = popcount(c[1]);
}
