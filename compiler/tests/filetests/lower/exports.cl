// What only kernels reach is not exported where the module is not linked, and what they do not reach is not there.
constant int table[2] = {1, 2};
int unused(int x) { return x; }
int called(int x) { return table[x]; }
kernel void k(global int *out) { out[0] = called(1); }
// ---
// global @g0 "table" constant size 8 align 4 init "0100000002000000"
// kernel @k(%0: ptr.global) exported args (pointer global) {
//   %1: ptr.private = alloca size 8 align 8
//   store align 8 %1, %0
//   %2: i32 = call @called(i32 1)
//   %3: ptr.global = load align 8 %1
//   store align 4 %3, %2
//   return
// }
// func @called(%0: i32) -> i32 {
//   %1: ptr.private = alloca size 4 align 4
//   store align 4 %1, %0
//   %2: ptr.constant = address @g0
//   %3: i32 = load align 4 %1
//   %4: ptr.constant = ptr_add %2 [%3 * 4 + 0]
//   %5: i32 = load align 4 %4
//   return %5
// }
