// options: --workarounds=none
// A kernel that would be too long with forty copies of a function with pointers gets none of them: not the first, until it
// is as long as it may be, and no others.
#define R(x, y, z) x = (y ^ z) + x * 5;
#define R4 R(x, y, z) R(y, z, w) R(z, w, x) R(w, x, y)
#define R64 R4 R4 R4 R4 R4 R4 R4 R4 R4 R4 R4 R4 R4 R4 R4 R4
void mix(uint *a) {
    uint x = a[0], y = a[1], z = a[2], w = a[3];
    R64 R64 R64 R64
    a[0] = x, a[1] = y, a[2] = z, a[3] = w;
}
// CHECK: OpEntryPoint
// CHECK: OpFunction ... None
// CHECK-NOT: OpBitwiseXor
// CHECK: OpFunctionCall
// CHECK: OpFunctionEnd
// CHECK: OpFunction ... DontInline
// CHECK: OpFunctionEnd
// CHECK-NOT: OpFunction
#define TWICE mix(a), mix(b)
#define EIGHT TWICE, TWICE, TWICE, TWICE
kernel void k(global uint *o, uint n) {
    uint a[4] = {n, 1, 2, 3}, b[4] = {4, 5, 6, n};
    EIGHT, EIGHT, EIGHT, EIGHT, EIGHT;
    o[0] = a[2] + b[3];
}
