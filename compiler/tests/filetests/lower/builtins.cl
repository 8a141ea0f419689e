// Functions that the targets provide in ways of their own: their passes do it, so the IR is the same for all.
// options: -cl-std=CL2.0
float f(float4 x, float4 y) { return dot(x, y); }
void g(global half *p, float3 x, double2 y) {
    vstorea_half3(vload_half3(2, p), 3, p);
    vstore_half2_rtz(y, 1, p);
}
int h(int x, size_t i, size_t j) { return work_group_broadcast(x, i, j); }
float i(global atomic_float *p, global atomic_half *q, half x) {
    atomic_store_explicit(q, x, memory_order_release);
    return atomic_fetch_max_explicit(p, 1.0f, memory_order_relaxed);
}
half4 j(read_only image2d_t image, int2 at) { return read_imageh(image, at); }
// ---
// func @f(%0: f32x4, %1: f32x4) -> f32 exported {
//   %2: ptr.private = alloca size 16 align 16
//   %3: ptr.private = alloca size 16 align 16
//   store align 16 %2, %0
//   store align 16 %3, %1
//   %4: f32x4 = load align 16 %2
//   %5: f32x4 = load align 16 %3
//   %6: f32 = intrinsic "dot" %4, %5
//   return %6
// }
// func @g(%0: ptr.global, %1: f32x3, %2: f64x2) exported {
//   %3: ptr.private = alloca size 8 align 8
//   %4: ptr.private = alloca size 16 align 16
//   %5: ptr.private = alloca size 16 align 16
//   store align 8 %3, %0
//   store align 16 %4, %1
//   store align 16 %5, %2
//   %6: ptr.global = load align 8 %3
//   %7: f32x3 = intrinsic "vload_half" i64 2, %6
//   %8: ptr.global = load align 8 %3
//   intrinsic "vstorea_half" %7, i64 3, %8
//   %9: f64x2 = load align 16 %5
//   %10: ptr.global = load align 8 %3
//   intrinsic "vstore_half_rtz" %9, i64 1, %10
//   return
// }
// func @h(%0: i32, %1: i64, %2: i64) -> i32 exported {
//   %3: ptr.private = alloca size 4 align 4
//   %4: ptr.private = alloca size 8 align 8
//   %5: ptr.private = alloca size 8 align 8
//   store align 4 %3, %0
//   store align 8 %4, %1
//   store align 8 %5, %2
//   %6: i32 = load align 4 %3
//   %7: i64 = load align 8 %4
//   %8: i64 = load align 8 %5
//   %9: i64x2 = construct %7, %8
//   %10: i32 = group work_group uniform broadcast (%6, %9)
//   return %10
// }
// func @i(%0: ptr.global, %1: ptr.global, %2: f16) -> f32 exported {
//   %3: ptr.private = alloca size 8 align 8
//   %4: ptr.private = alloca size 8 align 8
//   %5: ptr.private = alloca size 2 align 2
//   store align 8 %3, %0
//   store align 8 %4, %1
//   store align 2 %5, %2
//   %6: ptr.global = load align 8 %4
//   %7: f16 = load align 2 %5
//   atomic store release device global relaxed %6, %7
//   %8: ptr.global = load align 8 %3
//   %9: f32 = atomic fmax relaxed device global relaxed %8, f32 0x3f800000
//   return %9
// }
// func @j(%0: image.D2.ReadOnly, %1: i32x2) -> f16x4 exported {
//   %2: ptr.private = alloca size 8 align 8
//   store align 8 %2, %1
//   %3: i32x2 = load align 8 %2
//   %4: f16x4 = image read f16 %0, %3
//   return %4
// }
