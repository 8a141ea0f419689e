// options: -cl-std=CL2.0
// Null pointer constants as arguments of built-in functions, as in clang 15: they fit every pointer, and several overloads if
// those differ in what it points to or where.
kernel void k(global int *out, global float *f, local float *l, volatile global atomic_int *atomic, constant void *c) {
  event_t event = 0;
  event_t *events = &event;
  wait_group_events(0, NULL);
  wait_group_events(0, 0);
  wait_group_events(0, (void *)0);
  wait_group_events(1, events);
  wait_group_events(1, c); // error: no matching function for call to 'wait_group_events'
  wait_group_events(1, 1); // error: no matching function for call to 'wait_group_events'
  void *any = 0;
  wait_group_events(1, any);
  out[0] = fract(f[0], NULL) + modf(f[1], 0) > 0;
  vstore4((float4)(0), 0, NULL);
  out[1] = vload4(0, NULL).x; // error: call to 'vload4' is ambiguous
  out[2] = vload_half(0, 0); // error: call to 'vload_half' is ambiguous
  out[3] = atomic_load(any); // error: call to 'atomic_load' is ambiguous
  out[4] = atomic_add(NULL, 1); // error: call to 'atomic_add' is ambiguous
  out[5] = atomic_fetch_add(any, 1) + atomic_fetch_add(atomic, 1);
  events[0] = async_work_group_copy(l, NULL, 1, 0);
  global int *g = (global void *)0;
  local int *in_local = (global void *)0; // error: initializing '__local int *' with an expression of type '__global void *' changes address space of pointer
}
// ---
// error: no matching function for call to 'wait_group_events'
//   --> test.cl:11:3
//    |
// 11 |   wait_group_events(1, c);
//    |   ^^^^^^^^^^^^^^^^^ argument types: (int, __constant void *)
//    |
// note: candidate function 'void wait_group_events(int, __generic event_t *)' not viable: no known conversion from '__constant void *' to '__generic event_t *' for 2nd argument: the address spaces differ
//
// error: no matching function for call to 'wait_group_events'
//   --> test.cl:12:3
//    |
// 12 |   wait_group_events(1, 1);
//    |   ^^^^^^^^^^^^^^^^^ argument types: (int, int)
//    |
// note: candidate function 'void wait_group_events(int, __generic event_t *)' not viable: no known conversion from 'int' to '__generic event_t *' for 2nd argument
//
// error: call to 'vload4' is ambiguous
//   --> test.cl:17:12
//    |
// 17 |   out[1] = vload4(0, NULL).x;
//    |            ^^^^^^ argument types: (int, __generic void *)
//    |
// note: candidate function 'char4 vload4(ulong, const char *)'
// note: candidate function 'uchar4 vload4(ulong, const uchar *)'
// note: candidate function 'short4 vload4(ulong, const short *)'
// note: candidate function 'ushort4 vload4(ulong, const ushort *)'
// note: candidate function 'int4 vload4(ulong, const int *)'
// note: candidate function 'uint4 vload4(ulong, const uint *)'
//
// error: call to 'vload_half' is ambiguous
//   --> test.cl:18:12
//    |
// 18 |   out[2] = vload_half(0, 0);
//    |            ^^^^^^^^^^ argument types: (int, int)
//    |
// note: candidate function 'float vload_half(ulong, const half *)'
// note: candidate function 'float vload_half(ulong, constant const half *)'
//
// error: call to 'atomic_load' is ambiguous
//   --> test.cl:19:12
//    |
// 19 |   out[3] = atomic_load(any);
//    |            ^^^^^^^^^^^ argument types: (__generic void *)
//    |
// note: candidate function 'int atomic_load(atomic_int *)'
// note: candidate function 'uint atomic_load(atomic_uint *)'
// note: candidate function 'long atomic_load(atomic_long *)'
// note: candidate function 'ulong atomic_load(atomic_ulong *)'
// note: candidate function 'float atomic_load(atomic_float *)'
// note: candidate function 'double atomic_load(atomic_double *)'
//
// error: call to 'atomic_add' is ambiguous
//   --> test.cl:20:12
//    |
// 20 |   out[4] = atomic_add(NULL, 1);
//    |            ^^^^^^^^^^ argument types: (__generic void *, int)
//    |
// note: candidate function 'int atomic_add(global int *, int)'
// note: candidate function 'int atomic_add(local int *, int)'
//
// error: initializing '__local int *' with an expression of type '__global void *' changes address space of pointer
//   --> test.cl:24:25
//    |
// 24 |   local int *in_local = (global void *)0;
//    |                         ^^^^^^^^^^^^^^^^
