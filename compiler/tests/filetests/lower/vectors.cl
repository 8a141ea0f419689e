// Swizzles as values and as places; a scalar widens; comparisons give -1 or 0 (6.3.d).
void f(private float4 *v, int4 *m, float s) {
    v->xz = v->wy * s;
    *m = *v < s ? m->yxwz : (int4)(1, 2, m->hi);
}
// ---
// func @f(%0: ptr.private, %1: ptr.private, %2: f32) exported {
//   %3: ptr.private = alloca size 8 align 8
//   %4: ptr.private = alloca size 8 align 8
//   %5: ptr.private = alloca size 4 align 4
//   store align 8 %3, %0
//   store align 8 %4, %1
//   store align 4 %5, %2
//   %6: ptr.private = load align 8 %3
//   %7: f32x4 = load align 16 %6
//   %8: f32x2 = shuffle %7, %7 [3, 1]
//   %9: f32 = load align 4 %5
//   %10: f32x2 = construct %9, %9
//   %11: f32x2 = fmul %8, %10
//   %12: ptr.private = load align 8 %3
//   %13: f32x4 = load align 16 %12
//   %14: f32 = extract %11 0
//   %15: f32x4 = insert %13, %14 0
//   %16: f32 = extract %11 1
//   %17: f32x4 = insert %15, %16 2
//   store align 16 %12, %17
//   %18: ptr.private = load align 8 %3
//   %19: f32x4 = load align 16 %18
//   %20: f32 = load align 4 %5
//   %21: f32x4 = construct %20, %20, %20, %20
//   %22: boolx4 = flt %19, %21
//   %23: ptr.private = load align 8 %4
//   %24: i32x4 = load align 16 %23
//   %25: i32x4 = shuffle %24, %24 [1, 0, 3, 2]
//   %26: ptr.private = load align 8 %4
//   %27: i32x4 = load align 16 %26
//   %28: i32x2 = shuffle %27, %27 [2, 3]
//   %29: i32 = extract %27 2
//   %30: i32 = extract %27 3
//   %31: i32x4 = construct i32 1, i32 2, %29, %30
//   %32: i32x4 = select %22, %25, %31
//   %33: ptr.private = load align 8 %4
//   store align 16 %33, %32
//   return
// }
