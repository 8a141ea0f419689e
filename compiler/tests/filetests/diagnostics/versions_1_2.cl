// What OpenCL C 1.2 lacks is refused by the version that has it (6.1).
// options: -cl-std=CL1.2
global int counter = 3; // error: program scope variable must reside in constant address space
constant int table[2] = { 1, 2 };
int through_generic(generic int *p) { return *p; } // error: unknown type name 'generic' // error: cannot combine with previous 'int' declaration specifier
kernel void image(read_write image2d_t i) {} // error: access qualifier 'read_write' can not be used prior to OpenCL C version 2.0
kernel void types(global int *p) {
  atomic_int a; // error: use of 'atomic_int' requires OpenCL C 2.0 or newer
  static int kept; // error: variables in function scope cannot be declared static
  ndrange_t range; // error: use of 'ndrange_t' requires OpenCL C 2.0 or newer
  queue_t queue; // error: use of 'queue_t' requires OpenCL C 2.0 or newer
}
kernel void functions(global int *p, local float *l) {
  p[0] = work_group_reduce_add(p[1]); // error: use of 'work_group_reduce_add' requires OpenCL C 2.0 or newer
  p[1] = get_global_linear_id(); // error: use of 'get_global_linear_id' requires OpenCL C 2.0 or newer
  work_group_barrier(CLK_LOCAL_MEM_FENCE); // error: use of 'work_group_barrier' requires OpenCL C 2.0 or newer
  global int *g = to_global(p); // error: use of 'to_global' requires OpenCL C 2.0 or newer
  auto int a = 1; // error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
}
kernel void piped(read_only pipe int p) {} // error: unknown type name 'pipe' // error: cannot combine with previous 'int' declaration specifier
// ---
// error: unknown type name 'generic'
//  --> test.cl:5:21
//   |
// 5 | int through_generic(generic int *p) { return *p; }
//   |                     ^^^^^^^
//   |
// help: the generic address space needs -cl-std=CL2.0 or later
//
// error: unknown type name 'pipe'
//   --> test.cl:20:29
//    |
// 20 | kernel void piped(read_only pipe int p) {}
//    |                             ^^^^
//    |
// help: pipes need -cl-std=CL2.0 or later
//
// error: program scope variable must reside in constant address space
//  --> test.cl:3:12
//   |
// 3 | global int counter = 3;
//   |            ^^^^^^^
//   |
// help: declare it '__constant' with an initializer, or pass it as a kernel argument
//
// error: cannot combine with previous 'int' declaration specifier
//  --> test.cl:5:21
//   |
// 5 | int through_generic(generic int *p) { return *p; }
//   |                     ^^^^^^^^^^^
//
// error: access qualifier 'read_write' can not be used prior to OpenCL C version 2.0
//  --> test.cl:6:19
//   |
// 6 | kernel void image(read_write image2d_t i) {}
//   |                   ^^^^^^^^^^
//
// error: use of 'atomic_int' requires OpenCL C 2.0 or newer
//  --> test.cl:8:3
//   |
// 8 |   atomic_int a;
//   |   ^^^^^^^^^^
//
// error: variables in function scope cannot be declared static
//  --> test.cl:9:14
//   |
// 9 |   static int kept;
//   |              ^^^^
//
// error: use of 'ndrange_t' requires OpenCL C 2.0 or newer
//   --> test.cl:10:3
//    |
// 10 |   ndrange_t range;
//    |   ^^^^^^^^^
//
// error: use of 'queue_t' requires OpenCL C 2.0 or newer
//   --> test.cl:11:3
//    |
// 11 |   queue_t queue;
//    |   ^^^^^^^
//
// error: use of 'work_group_reduce_add' requires OpenCL C 2.0 or newer
//   --> test.cl:14:10
//    |
// 14 |   p[0] = work_group_reduce_add(p[1]);
//    |          ^^^^^^^^^^^^^^^^^^^^^
//
// error: use of 'get_global_linear_id' requires OpenCL C 2.0 or newer
//   --> test.cl:15:10
//    |
// 15 |   p[1] = get_global_linear_id();
//    |          ^^^^^^^^^^^^^^^^^^^^
//
// error: use of 'work_group_barrier' requires OpenCL C 2.0 or newer
//   --> test.cl:16:3
//    |
// 16 |   work_group_barrier(CLK_LOCAL_MEM_FENCE);
//    |   ^^^^^^^^^^^^^^^^^^
//
// error: use of 'to_global' requires OpenCL C 2.0 or newer
//   --> test.cl:17:19
//    |
// 17 |   global int *g = to_global(p);
//    |                   ^^^^^^^^^
//
// error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
//   --> test.cl:18:3
//    |
// 18 |   auto int a = 1;
//    |   ^^^^
//
// error: cannot combine with previous 'int' declaration specifier
//   --> test.cl:20:29
//    |
// 20 | kernel void piped(read_only pipe int p) {}
//    |                             ^^^^^^^^
