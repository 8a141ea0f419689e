// options: -cl-std=CL2.0
// target: opencl2.0
kernel void k(global int *out, queue_t q, int n) {
  ndrange_t r = ndrange_1D(4);
  clk_event_t e;
  void (^plain)(void) = ^{ out[0] = n; };
  void (^local_block)(local void *) = ^(local void *p) { };
  int (^gives)(void) = ^{ return 1; };
  void (^wrong)(global int *) = ^(global int *p) { };
  enqueue_kernel(q, 0, r); // error: too few arguments to function call, expected at least 4, have 3
  enqueue_kernel(n, 0, r, plain); // error: illegal call to 'enqueue_kernel', expected 'queue_t' argument type
  enqueue_kernel(q, r, r, plain); // error: illegal call to 'enqueue_kernel', expected 'kernel_enqueue_flags_t' (i.e. uint) argument type
  enqueue_kernel(q, 0, n, plain); // error: illegal call to 'enqueue_kernel', expected 'ndrange_t' argument type
  enqueue_kernel(q, 0, r, n); // error: illegal call to 'enqueue_kernel', incorrect argument types
  enqueue_kernel(q, 0, r, local_block); // error: blocks with parameters are not accepted in this prototype of 'enqueue_kernel' call
  enqueue_kernel(q, 0, r, local_block, 4, 4); // error: mismatch in number of block parameters and local size arguments passed
  enqueue_kernel(q, 0, r, plain, 4); // error: mismatch in number of block parameters and local size arguments passed
  enqueue_kernel(q, 0, r, local_block, plain); // error: illegal call to 'enqueue_kernel', expected a size of integer type for each block parameter
  enqueue_kernel(q, 0, r, gives); // error: blocks used in 'enqueue_kernel' call are expected to return 'void' // clang: accepts, but 6.15.15 wants no result
  enqueue_kernel(q, 0, r, wrong, 4); // error: blocks used in 'enqueue_kernel' call are expected to have parameters of pointer to 'local' type
  enqueue_kernel(q, 0, r, 1, out, &e, plain); // error: expected a pointer to 'clk_event_t' or a null pointer, not '__global int *'
  enqueue_kernel(q, 0, r, 1, &e, &e, n); // error: illegal call to 'enqueue_kernel', expected block argument type
  get_kernel_work_group_size(n); // error: illegal call to 'get_kernel_work_group_size', expected block argument type
  get_kernel_work_group_size(); // error: too few arguments to function call, expected 1, have 0
  enqueue_marker(q, 1, &e); // error: too few arguments to function call, expected 4, have 3
  clk_event_t fine = CLK_NULL_EVENT;
  enqueue_kernel(q, 0, r, 0, NULL, NULL, plain);
}
// ---
// error: too few arguments to function call, expected at least 4, have 3
//   --> test.cl:10:3
//    |
// 10 |   enqueue_kernel(q, 0, r);
//    |   ^^^^^^^^^^^^^^
//
// error: illegal call to 'enqueue_kernel', expected 'queue_t' argument type
//   --> test.cl:11:18
//    |
// 11 |   enqueue_kernel(n, 0, r, plain);
//    |                  ^
//
// error: illegal call to 'enqueue_kernel', expected 'kernel_enqueue_flags_t' (i.e. uint) argument type
//   --> test.cl:12:21
//    |
// 12 |   enqueue_kernel(q, r, r, plain);
//    |                     ^
//
// error: illegal call to 'enqueue_kernel', expected 'ndrange_t' argument type
//   --> test.cl:13:24
//    |
// 13 |   enqueue_kernel(q, 0, n, plain);
//    |                        ^
//
// error: illegal call to 'enqueue_kernel', incorrect argument types
//   --> test.cl:14:3
//    |
// 14 |   enqueue_kernel(q, 0, r, n);
//    |   ^^^^^^^^^^^^^^
//
// error: blocks with parameters are not accepted in this prototype of 'enqueue_kernel' call
//   --> test.cl:15:3
//    |
// 15 |   enqueue_kernel(q, 0, r, local_block);
//    |   ^^^^^^^^^^^^^^
//
// error: mismatch in number of block parameters and local size arguments passed
//   --> test.cl:16:3
//    |
// 16 |   enqueue_kernel(q, 0, r, local_block, 4, 4);
//    |   ^^^^^^^^^^^^^^
//
// error: mismatch in number of block parameters and local size arguments passed
//   --> test.cl:17:3
//    |
// 17 |   enqueue_kernel(q, 0, r, plain, 4);
//    |   ^^^^^^^^^^^^^^
//
// error: illegal call to 'enqueue_kernel', expected a size of integer type for each block parameter
//   --> test.cl:18:40
//    |
// 18 |   enqueue_kernel(q, 0, r, local_block, plain);
//    |                                        ^^^^^
//
// error: blocks used in 'enqueue_kernel' call are expected to return 'void'
//   --> test.cl:19:27
//    |
// 19 |   enqueue_kernel(q, 0, r, gives);
//    |                           ^^^^^
//
// error: blocks used in 'enqueue_kernel' call are expected to have parameters of pointer to 'local' type
//   --> test.cl:20:27
//    |
// 20 |   enqueue_kernel(q, 0, r, wrong, 4);
//    |                           ^^^^^
//
// error: expected a pointer to 'clk_event_t' or a null pointer, not '__global int *'
//   --> test.cl:21:30
//    |
// 21 |   enqueue_kernel(q, 0, r, 1, out, &e, plain);
//    |                              ^^^
//
// error: illegal call to 'enqueue_kernel', expected block argument type
//   --> test.cl:22:38
//    |
// 22 |   enqueue_kernel(q, 0, r, 1, &e, &e, n);
//    |                                      ^
//
// error: illegal call to 'get_kernel_work_group_size', expected block argument type
//   --> test.cl:23:30
//    |
// 23 |   get_kernel_work_group_size(n);
//    |                              ^
//
// error: too few arguments to function call, expected 1, have 0
//   --> test.cl:24:3
//    |
// 24 |   get_kernel_work_group_size();
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: too few arguments to function call, expected 4, have 3
//   --> test.cl:25:3
//    |
// 25 |   enqueue_marker(q, 1, &e);
//    |   ^^^^^^^^^^^^^^
