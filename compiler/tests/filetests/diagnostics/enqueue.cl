// -cl-std=CL2.0 --target opencl2.0
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
  enqueue_kernel(q, 0, r, gives); // error: blocks used in 'enqueue_kernel' call are expected to return 'void'
  enqueue_kernel(q, 0, r, wrong, 4); // error: blocks used in 'enqueue_kernel' call are expected to have parameters of pointer to 'local' type
  enqueue_kernel(q, 0, r, 1, out, &e, plain); // error: expected a pointer to 'clk_event_t' or a null pointer, not '__global int *'
  enqueue_kernel(q, 0, r, 1, &e, &e, n); // error: illegal call to 'enqueue_kernel', expected block argument type
  get_kernel_work_group_size(n); // error: illegal call to 'get_kernel_work_group_size', expected block argument type
  get_kernel_work_group_size(); // error: too few arguments to function call, expected 1, have 0
  enqueue_marker(q, 1, &e); // error: too few arguments to function call, expected 4, have 3
  clk_event_t fine = CLK_NULL_EVENT;
  enqueue_kernel(q, 0, r, 0, NULL, NULL, plain);
}
