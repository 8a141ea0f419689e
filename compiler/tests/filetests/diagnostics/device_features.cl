// options: -cl-std=CL3.0 --addressing=logical
// clang: not asked, since it knows no Vulkan target
// Device enqueue needs addresses; blocks that are only called work without.
#if !defined(__opencl_c_pipes) || defined(__opencl_c_device_enqueue)
#error features of Vulkan
#endif
kernel void k(pipe int p) { }
void reservation(reserve_id_t r) { }
kernel void queue(queue_t q) { } // error: type 'queue_t' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
kernel void enqueues(global int *out) {
  ndrange_t r; // error: type 'ndrange_t' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
  clk_event_t e; // error: type 'clk_event_t' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
  void (^block)(void) = ^{ out[0] = 1; };
  enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), block); // error: 'get_default_queue' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64' // error: 'ndrange_1D' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
  block();
  get_kernel_work_group_size(block); // error: 'get_kernel_work_group_size' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
}
kernel void samples(read_only image2d_msaa_t image) { } // error: type 'image2d_msaa_t' requires the extension 'cl_khr_gl_msaa_sharing', which the target vulkan1.2 does not have
// ---
// error: type 'queue_t' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
//  --> test.cl:9:19
//   |
// 9 | kernel void queue(queue_t q) { }
//   |                   ^^^^^^^
//
// error: type 'ndrange_t' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
//   --> test.cl:11:3
//    |
// 11 |   ndrange_t r;
//    |   ^^^^^^^^^
//
// error: type 'clk_event_t' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
//   --> test.cl:12:3
//    |
// 12 |   clk_event_t e;
//    |   ^^^^^^^^^^^
//
// error: 'get_default_queue' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
//   --> test.cl:14:18
//    |
// 14 |   enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), block);
//    |                  ^^^^^^^^^^^^^^^^^
//
// error: 'ndrange_1D' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
//   --> test.cl:14:42
//    |
// 14 |   enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), block);
//    |                                          ^^^^^^^^^^
//
// error: 'get_kernel_work_group_size' requires the feature '__opencl_c_device_enqueue', which needs '--addressing physical64'
//   --> test.cl:16:3
//    |
// 16 |   get_kernel_work_group_size(block);
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: type 'image2d_msaa_t' requires the extension 'cl_khr_gl_msaa_sharing', which the target vulkan1.2 does not have
//   --> test.cl:18:31
//    |
// 18 | kernel void samples(read_only image2d_msaa_t image) { }
//    |                               ^^^^^^^^^^^^^^
