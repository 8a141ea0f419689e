// What is not static can be linked with other modules, and what is declared only must be.
// target: opencl2.0
// options: -cl-std=CL2.0
// CHECK: OpEntryPoint Kernel ... "k"
// CHECK: LinkageAttributes "elsewhere" Import
// CHECK: LinkageAttributes "helper" Export
// CHECK: LinkageAttributes "unused" Export
// CHECK-NOT: LinkageAttributes "hidden"
// CHECK: LinkageAttributes "counter" Export
// CHECK-NOT: LinkageAttributes "cache"
// CHECK: LinkageAttributes "table" Export
// CHECK: LinkageAttributes "far" Import
// CHECK: LinkageAttributes "unused_table" Export
int elsewhere(int x);
extern constant int far[4];
global int counter = 3;
static global int cache;
constant int table[2] = {1, 2};
constant int unused_table[2] = {3, 4};
int helper(int x) { return x + 1; }
int unused(int x) { return x - 1; }
static int hidden(int x) { return x * 2; }
kernel void k(global int *p) { p[0] = elsewhere(helper(1)) + hidden(2) + counter + cache + table[p[1]] + far[p[2]]; }
