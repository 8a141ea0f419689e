// Functions, types and statements of GNU C and clang that are not supported, or whose operands are wrong.
// options: -cl-std=CL2.0
typedef float five __attribute__((ext_vector_type(5))); // error: vectors of 5 elements are not supported: there are those of 2, 3, 4, 8 and 16 // clang: accepts any number
typedef float one __attribute__((ext_vector_type(1))); // warning: a vector of 1 element is taken for a scalar // clang: accepts it as a vector
__attribute__((address_space(7))) constant int far = 3; // error: address space 7 is not supported: 1 is '__global', 2 '__constant', 3 '__local', 4 '__generic'
kernel void k(global int *out, float f, read_only image2d_t image, queue_t queue) {
  int *p = __builtin_alloca(16); // error: the built-in function '__builtin_alloca' of GNU C or clang is not supported // clang: accepts
  out[0] = __builtin_store_half(f); // error: no matching function for call to '__builtin_store_half'
  out[1] = __builtin_fabsf(f, f); // error: no matching function for call to '__builtin_fabsf'
  out[2] = __builtin_clz(image); // error: passing '__read_only image2d_t' to parameter of incompatible type 'unsigned int'
  out[3] = *__builtin_astype(image, global int *); // error: '__read_only image2d_t' cannot be reinterpreted as '__global int *': only numbers, vectors, pointers and records can // clang: accepts, but 6.4.4.2 is for scalars and vectors
  out[4] = __builtin_astype(f, long); // error: invalid reinterpretation: sizes of 'long' and 'float' must match
  out[5] = queue < queue; // error: invalid operands to binary expression ('queue_t' and 'queue_t') // clang: accepts, but queues have no order
  out[6] = queue == 1; // error: invalid operands to binary expression ('queue_t' and 'int')
  __asm__("nop" : "=r"(f)); // error: inline assembly is not allowed in OpenCL C // clang: accepts
  __asm__("" : "r"(f)); // error: invalid output constraint 'r' in asm
  __asm__("" : "=r"(f + 1)); // error: invalid lvalue in asm output
  __asm__("" : "=r"(f) : "0"(out)); // error: invalid reinterpretation: sizes of 'float' and '__global int *' must match // clang: accepts until code is made
  one scalar = f;
}
// ---
// error: vectors of 5 elements are not supported: there are those of 2, 3, 4, 8 and 16
//  --> test.cl:3:35
//   |
// 3 | typedef float five __attribute__((ext_vector_type(5)));
//   |                                   ^^^^^^^^^^^^^^^^^^
//
// warning: a vector of 1 element is taken for a scalar [-Wignored-attributes]
//  --> test.cl:4:34
//   |
// 4 | typedef float one __attribute__((ext_vector_type(1)));
//   |                                  ^^^^^^^^^^^^^^^^^^
//
// error: address space 7 is not supported: 1 is '__global', 2 '__constant', 3 '__local', 4 '__generic'
//  --> test.cl:5:16
//   |
// 5 | __attribute__((address_space(7))) constant int far = 3;
//   |                ^^^^^^^^^^^^^^^^
//
// error: the built-in function '__builtin_alloca' of GNU C or clang is not supported
//  --> test.cl:7:12
//   |
// 7 |   int *p = __builtin_alloca(16);
//   |            ^^^^^^^^^^^^^^^^
//
// error: no matching function for call to '__builtin_store_half'
//  --> test.cl:8:12
//   |
// 8 |   out[0] = __builtin_store_half(f);
//   |            ^^^^^^^^^^^^^^^^^^^^
//
// error: no matching function for call to '__builtin_fabsf'
//  --> test.cl:9:12
//   |
// 9 |   out[1] = __builtin_fabsf(f, f);
//   |            ^^^^^^^^^^^^^^^
//
// error: passing '__read_only image2d_t' to parameter of incompatible type 'unsigned int'
//   --> test.cl:10:26
//    |
// 10 |   out[2] = __builtin_clz(image);
//    |                          ^^^^^
//
// error: '__read_only image2d_t' cannot be reinterpreted as '__global int *': only numbers, vectors, pointers and records can
//   --> test.cl:11:13
//    |
// 11 |   out[3] = *__builtin_astype(image, global int *);
//    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: invalid reinterpretation: sizes of 'long' and 'float' must match
//   --> test.cl:12:12
//    |
// 12 |   out[4] = __builtin_astype(f, long);
//    |            ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: invalid operands to binary expression ('queue_t' and 'queue_t')
//   --> test.cl:13:18
//    |
// 13 |   out[5] = queue < queue;
//    |                  ^
//
// error: invalid operands to binary expression ('queue_t' and 'int')
//   --> test.cl:14:18
//    |
// 14 |   out[6] = queue == 1;
//    |                  ^^
//
// error: inline assembly is not allowed in OpenCL C
//   --> test.cl:15:3
//    |
// 15 |   __asm__("nop" : "=r"(f));
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: invalid output constraint 'r' in asm
//   --> test.cl:16:16
//    |
// 16 |   __asm__("" : "r"(f));
//    |                ^^^^^^
//
// error: invalid lvalue in asm output
//   --> test.cl:17:21
//    |
// 17 |   __asm__("" : "=r"(f + 1));
//    |                     ^^^^^
//
// error: invalid reinterpretation: sizes of 'float' and '__global int *' must match
//   --> test.cl:18:16
//    |
// 18 |   __asm__("" : "=r"(f) : "0"(out));
//    |                ^^^^^^^
