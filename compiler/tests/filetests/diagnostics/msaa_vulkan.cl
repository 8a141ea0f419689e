// Multi-sample images are not for Vulkan: cl_khr_gl_msaa_sharing is about OpenGL.
// clang: not asked, since it knows no Vulkan target
#ifdef cl_khr_gl_msaa_sharing
#error not expected
#endif
kernel void k(read_only image2d_msaa_t i, global int *out) { // error: type 'image2d_msaa_t' requires the extension 'cl_khr_gl_msaa_sharing', which the target vulkan1.2 does not have
  out[0] = get_image_width(i);
}
// ---
// error: type 'image2d_msaa_t' requires the extension 'cl_khr_gl_msaa_sharing', which the target vulkan1.2 does not have
//  --> test.cl:6:25
//   |
// 6 | kernel void k(read_only image2d_msaa_t i, global int *out) {
//   |                         ^^^^^^^^^^^^^^
