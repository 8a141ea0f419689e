// Levels of detail came with OpenCL C 2.0 (cl_khr_mipmap_image, cl_khr_mipmap_image_writes).
// options: -cl-std=CL1.2
kernel void k(write_only image2d_t a) {
    write_imagef(a, (int2)(1, 2), 1, (float4)(1)); // error: 'write_imagef' with a level of detail requires 'cl_khr_mipmap_image_writes', which needs OpenCL C 2.0 or newer
}
// ---
// error: 'write_imagef' with a level of detail requires 'cl_khr_mipmap_image_writes', which needs OpenCL C 2.0 or newer
//  --> test.cl:4:5
//   |
// 4 |     write_imagef(a, (int2)(1, 2), 1, (float4)(1));
//   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
