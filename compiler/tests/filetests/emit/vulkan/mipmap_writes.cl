// cl_khr_mipmap_image_writes: a storage image of Vulkan is one level of detail, so such an argument is an array of them, and
// each access names its element by a constant. Other images are not arrays.
// options: -cl-std=CL2.0
// CHECK: OpConstant ... 16
// CHECK: OpTypeArray
// CHECK: OpTypePointer UniformConstant
// CHECK: OpAccessChain
// CHECK: OpImageWrite
// CHECK: OpSwitch ... 0 ... 15
// CHECK: OpAccessChain
// CHECK: OpImageWrite
kernel void k(write_only image2d_t a, write_only image3d_t b, write_only image2d_t c, int level) {
    write_imagef(a, (int2)(1, 2), 3, (float4)(1));
    write_imageui(b, (int4)(1, 2, 3, 0), level, (uint4)(1));
    write_imagef(c, (int2)(1, 2), (float4)(1));
}
