// Pointers, images and samplers that a block captures are named with their bytes: they have no bits.
// options: -cl-std=CL3.0
kernel void k(global int *sum, int n, read_only image2d_t from, sampler_t by)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        *sum = n + read_imagei(from, by, (float2)(0)).x;
    });
}
// ---
// kernel @k(%0: ptr.global, %1: i32, %2: image.D2.ReadOnly, %3: sampler) exported args (pointer global, value i32, opaque image.D2.ReadOnly, opaque sampler) {
//   %4: ptr.private = alloca size 8 align 8
//   %5: ptr.private = alloca size 4 align 4
//   %6: ptr.private = alloca size 80 align 8
//   %7: ptr.private = alloca size 48 align 8
//   store align 8 %4, %0
//   store align 4 %5, %1
//   %8: queue = device default_queue ()
//   device nd_range1 (%6, i64 1, i64 0, i64 0)
//   store align 4 %7, i32 48
//   %9: ptr.private = ptr_add %7 [4]
//   store align 4 %9, i32 8
//   %10: ptr.private = ptr_add %7 [8]
//   store align 8 %10, i64 0
//   %11: ptr.private = ptr_add %7 [16]
//   %12: ptr.global = load align 8 %4
//   store align 8 %11, %12
//   %13: ptr.private = ptr_add %7 [24]
//   %14: i32 = load align 4 %5
//   store align 4 %13, %14
//   %15: ptr.private = ptr_add %7 [32]
//   store align 8 %15, %2
//   %16: ptr.private = ptr_add %7 [40]
//   store align 8 %16, %3
//   %17: ptr.generic = ptr_cast %7
//   %18: i32 = enqueue kernel @__k_block_invoke_kernel size 48 align 8 (%8, i32 0, %6, i32 0, ptr.generic 0, ptr.generic 0, %17)
//   return
// }
// kernel @__k_block_invoke_kernel(%0: ptr.generic) exported args (pointer generic) block reference 16 ptr.global reference 32 image.D2.ReadOnly reference 40 sampler {
//   call @__k_block_invoke(%0)
//   return
// }
// func @__k_block_invoke(%0: ptr.generic) {
//   %1: ptr.private = alloca size 8 align 8
//   %2: ptr.private = alloca size 8 align 8
//   %3: ptr.private = alloca size 4 align 4
//   %4: ptr.private = alloca size 8 align 8
//   %5: ptr.private = alloca size 8 align 8
//   store align 8 %1, %0
//   %6: ptr.generic = load align 8 %1
//   %7: ptr.generic = ptr_add %6 [16]
//   %8: ptr.global = load align 8 %7
//   store align 8 %2, %8
//   %9: ptr.generic = load align 8 %1
//   %10: ptr.generic = ptr_add %9 [24]
//   %11: i32 = load align 4 %10
//   store align 4 %3, %11
//   %12: ptr.generic = load align 8 %1
//   %13: ptr.generic = ptr_add %12 [32]
//   %14: image.D2.ReadOnly = load align 8 %13
//   store align 8 %4, %14
//   %15: ptr.generic = load align 8 %1
//   %16: ptr.generic = ptr_add %15 [40]
//   %17: sampler = load align 8 %16
//   store align 8 %5, %17
//   %18: i32 = load align 4 %3
//   %19: image.D2.ReadOnly = load align 8 %4
//   %20: sampler = load align 8 %5
//   %21: i32x4 = image sample signed %19, %20, f32x2 [0x0, 0x0]
//   %22: i32 = extract %21 0
//   %23: i32 = add %18, %22
//   %24: ptr.global = load align 8 %2
//   store align 4 %24, %23
//   return
// }
