// options: --workarounds=nvidia-private-calls
// Each kernel has an array of its own in place of that of the module, also one that calls no function with the array.
// CHECK-NOT: OpTypePointer ... Private
// CHECK: OpFunction ... None
// CHECK: OpVariable ... Function
// CHECK: OpFunctionEnd
// CHECK: OpFunction ... None
// CHECK: OpVariable ... Function
// CHECK: OpFunctionEnd
__attribute__((noinline)) uint cube(uint n) { return n * n * n + popcount(n); }

__attribute__((noinline)) void add(uint *a, uint n) { a[n & 7] += n; }

kernel void own(global uint *o, uint n) {
    uint c[8] = {n}, *p = n & 1 ? c : c + 1;
    p[n & 3] = 7;
    o[0] = c[n & 7] + cube(n) + cube(o[1]);
}

kernel void passes(global uint *o, uint n) {
    uint a[8] = {n};
    add(a, n);
    add(a, o[1]);
    o[0] = a[n & 7] + cube(n);
}

kernel void own_again(global uint *o, uint n) {
    uint c[8] = {n}, *p = n & 1 ? c : c + 1;
    p[n & 3] = 8;
    o[0] = c[n & 7] + cube(n);
}
