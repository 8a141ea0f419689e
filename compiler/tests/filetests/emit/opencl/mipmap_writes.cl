// cl_khr_mipmap_image_writes: the level of detail is an operand of the write, and the capability says so.
// target: opencl2.0
// options: -cl-std=CL2.0
// CHECK: OpCapability ImageMipmap
// CHECK: OpTypeImage ... WriteOnly
// CHECK: OpImageWrite ... Lod
// CHECK: OpImageWrite ... Lod
// CHECK: OpImageQueryLevels
kernel void k(write_only image2d_t a, write_only image2d_array_depth_t b, int level, global int *out) {
    write_imagef(a, (int2)(1, 2), level, (float4)(1));
    write_imagef(b, (int4)(1, 2, 3, 0), 2, 0.5f);
    out[0] = get_image_num_mip_levels(a);
}
