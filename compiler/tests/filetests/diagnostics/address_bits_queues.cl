// target: opencl3.0
// options: --address-bits=32 -cl-std=CL3.0
// clang: not asked, since its target would be another one
// What is enqueued on the device has pointers of 64 bits.
#ifdef __opencl_c_device_enqueue
#error defined
#endif
kernel void k(global int *p) { *p = get_default_queue() != 0; } // error: 'get_default_queue' requires the feature '__opencl_c_device_enqueue', which needs '--address-bits 64'
// ---
// error: 'get_default_queue' requires the feature '__opencl_c_device_enqueue', which needs '--address-bits 64'
//  --> test.cl:8:37
//   |
// 8 | kernel void k(global int *p) { *p = get_default_queue() != 0; }
//   |                                     ^^^^^^^^^^^^^^^^^
