// Offsets and alignments follow the layout of the record (6.2.6): `b` is at 16, `c` at 32 and 12 bytes wide.
struct s { char a; float4 b; float3 c[2]; };
kernel void k(global struct s *p, constant int *n, int i) {
    p[i].b.y = p->c[1].z;
    p[i].c[0] = p[n[1]].c[1];
    p->a = 1;
}
// ---
// kernel @k(%0: ptr.global, %1: ptr.constant, %2: i32) exported args (pointer global, pointer constant, value i32) {
//   %3: ptr.private = alloca size 8 align 8
//   %4: ptr.private = alloca size 8 align 8
//   %5: ptr.private = alloca size 4 align 4
//   store align 8 %3, %0
//   store align 8 %4, %1
//   store align 4 %5, %2
//   %6: ptr.global = load align 8 %3
//   %7: ptr.global = ptr_add %6 [32]
//   %8: ptr.global = ptr_add %6 [48]
//   %9: f32x3 = load align 16 %8
//   %10: f32 = extract %9 2
//   %11: ptr.global = load align 8 %3
//   %12: i32 = load align 4 %5
//   %13: ptr.global = ptr_add %11 [%12 * 64 + 0]
//   %14: ptr.global = ptr_add %11 [%12 * 64 + 16]
//   %15: ptr.global = ptr_add %11 [%12 * 64 + 20]
//   store align 4 %15, %10
//   %16: ptr.global = load align 8 %3
//   %17: ptr.constant = load align 8 %4
//   %18: ptr.constant = ptr_add %17 [4]
//   %19: i32 = load align 4 %18
//   %20: ptr.global = ptr_add %16 [%19 * 64 + 0]
//   %21: ptr.global = ptr_add %16 [%19 * 64 + 32]
//   %22: ptr.global = ptr_add %16 [%19 * 64 + 48]
//   %23: f32x3 = load align 16 %22
//   %24: ptr.global = load align 8 %3
//   %25: i32 = load align 4 %5
//   %26: ptr.global = ptr_add %24 [%25 * 64 + 0]
//   %27: ptr.global = ptr_add %24 [%25 * 64 + 32]
//   store align 16 %27, %23
//   %28: ptr.global = load align 8 %3
//   store align 1 %28, i8 1
//   return
// }
