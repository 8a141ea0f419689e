// Multi-sample images are not for Vulkan: cl_khr_gl_msaa_sharing is about OpenGL.
#ifdef cl_khr_gl_msaa_sharing
#error not expected
#endif
kernel void k(read_only image2d_msaa_t i, global int *out) { // error: type 'image2d_msaa_t' requires the extension 'cl_khr_gl_msaa_sharing', which the target vulkan1.2 does not have // clang: accepts, it knows no Vulkan
  out[0] = get_image_width(i);
}
// ---
// error: type 'image2d_msaa_t' requires the extension 'cl_khr_gl_msaa_sharing', which the target vulkan1.2 does not have
//  --> test.cl:5:25
//   |
// 5 | kernel void k(read_only image2d_msaa_t i, global int *out) {
//   |                         ^^^^^^^^^^^^^^
