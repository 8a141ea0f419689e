// sizeof (6.5.11): not of functions nor of incomplete types.
struct Unknown;
int f(int a) { return a; }
kernel void k(global int *out, global struct Unknown *p, int n) {
  out[0] = sizeof(int[3]);
  out[1] = sizeof(f); // error: taking address of function is not allowed
  out[2] = sizeof(struct Unknown); // error: invalid application of 'sizeof' to an incomplete type 'struct Unknown'
  out[3] = sizeof(void); // error: invalid application of 'sizeof' to a void type
  out[4] = sizeof(*p); // error: invalid application of 'sizeof' to an incomplete type 'struct Unknown'
  out[5] = sizeof(int(int)); // error: invalid application of 'sizeof' to a function type // clang: accepts, as GNU C
  out[6] = sizeof(int[n]); // error: variable length arrays are not supported in OpenCL
  out[7] = sizeof(int[]); // error: invalid application of 'sizeof' to an incomplete type 'int[]'
  out[8] = vec_step(struct Unknown); // error: 'vec_step' requires built-in scalar or vector type, 'struct Unknown' invalid
}
// ---
// error: taking address of function is not allowed
//  --> test.cl:6:19
//   |
// 6 |   out[1] = sizeof(f);
//   |                   ^
//
// error: invalid application of 'sizeof' to an incomplete type 'struct Unknown'
//  --> test.cl:7:19
//   |
// 7 |   out[2] = sizeof(struct Unknown);
//   |                   ^^^^^^^^^^^^^^
//   |
// note: forward declaration of 'struct Unknown'
//  --> test.cl:2:8
//   |
// 2 | struct Unknown;
//   |        -------
//
// error: invalid application of 'sizeof' to a void type
//  --> test.cl:8:19
//   |
// 8 |   out[3] = sizeof(void);
//   |                   ^^^^
//
// error: invalid application of 'sizeof' to an incomplete type 'struct Unknown'
//  --> test.cl:9:18
//   |
// 9 |   out[4] = sizeof(*p);
//   |                  ^^^^
//   |
// note: forward declaration of 'struct Unknown'
//  --> test.cl:2:8
//   |
// 2 | struct Unknown;
//   |        -------
//
// error: invalid application of 'sizeof' to a function type
//   --> test.cl:10:19
//    |
// 10 |   out[5] = sizeof(int(int));
//    |                   ^^^^^^^^
//
// error: variable length arrays are not supported in OpenCL
//   --> test.cl:11:23
//    |
// 11 |   out[6] = sizeof(int[n]);
//    |                       ^
//
// error: invalid application of 'sizeof' to an incomplete type 'int[]'
//   --> test.cl:12:19
//    |
// 12 |   out[7] = sizeof(int[]);
//    |                   ^^^^^
//
// error: 'vec_step' requires built-in scalar or vector type, 'struct Unknown' invalid
//   --> test.cl:13:21
//    |
// 13 |   out[8] = vec_step(struct Unknown);
//    |                     ^^^^^^^^^^^^^^
