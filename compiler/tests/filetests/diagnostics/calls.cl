// Calls of functions and of built-in functions.
struct S { int length; float width; };
int twice(int value) { return value * 2; }
int __attribute__((overloadable)) over(int a) { return a; }
int __attribute__((overloadable)) over(float4 a) { return a.x; }
kernel void k(global int *out, float4 v, int n, struct S s, global float *g, local float *l, read_only image2d_t image, sampler_t sampler) {
  out[0] = twice(); // error: too few arguments to function call, expected 1, have 0
  out[1] = twice(1, 2); // error: too many arguments to function call, expected 1, have 2
  out[2] = twice(v); // error: passing 'float4' (vector of 4 'float' values) to parameter of incompatible type 'int'
  out[3] = twicee(3); // error: implicit declaration of function 'twicee' is invalid in OpenCL; did you mean 'twice'?
  out[4] = nothing_like_it(3); // error: implicit declaration of function 'nothing_like_it' is invalid in OpenCL
  out[5] = n(); // error: called object type 'int' is not a function or function pointer
  out[6] = over(s); // error: no matching function for call to 'over'
  out[7] = s.lenght; // error: no member named 'lenght' in 'struct S'; did you mean 'length'?
  out[8] = s->length; // error: member reference type 'struct S' is not a pointer
  out[9] = g.length; // error: member reference base type '__global float *' is not a structure or union
  out[10] = n.length; // error: member reference base type 'int' is not a structure or union
  out[11] = undeclared + undeclared; // error: use of undeclared identifier 'undeclared'
  g[0] = sin(); // error: no matching function for call to 'sin'
  g[1] = sin(v, v); // error: no matching function for call to 'sin'
  g[2] = max(n, 1.0f); // error: call to 'max' is ambiguous
  g[3] = sinn(g[0]); // error: implicit declaration of function 'sinn' is invalid in OpenCL; did you mean 'sin'?
  g[4] = dot(v, g); // error: no matching function for call to 'dot'
  v = read_imagef(sampler, image, (int2)(0)); // error: no matching function for call to 'read_imagef'
  g[5] = fract(g[0], l);
  g[6] = fract(g[0], n); // error: no matching function for call to 'fract'
  out[13] = atomic_add(g, 1); // warning: incompatible pointer types passing '__global float *' to parameter of type 'volatile __global int *'
  out[14] = get_global_id; // error: taking address of function is not allowed
  out[15] = shuffle(v, (uint4)(0)); // error: assigning to 'int' from incompatible type 'float4' (vector of 4 'float' values)
  vstore4(v, 0, out); // warning: incompatible pointer types passing '__global int *' to parameter of type '__global float *'
  out[16] = as_int4(v); // error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
  barrier(); // error: no matching function for call to 'barrier'
  out[17] = get_global_id(v); // error: no matching function for call to 'get_global_id'
}
// ---
// error: too few arguments to function call, expected 1, have 0
//  --> test.cl:7:12
//   |
// 7 |   out[0] = twice();
//   |            ^^^^^^^
//   |
// note: 'twice' declared here
//  --> test.cl:3:5
//   |
// 3 | int twice(int value) { return value * 2; }
//   |     -----
//
// error: too many arguments to function call, expected 1, have 2
//  --> test.cl:8:12
//   |
// 8 |   out[1] = twice(1, 2);
//   |            ^^^^^^^^^^^
//   |
// note: 'twice' declared here
//  --> test.cl:3:5
//   |
// 3 | int twice(int value) { return value * 2; }
//   |     -----
//
// error: passing 'float4' (vector of 4 'float' values) to parameter of incompatible type 'int'
//  --> test.cl:9:18
//   |
// 9 |   out[2] = twice(v);
//   |                  ^
//   |
// note: passing argument to parameter here
//  --> test.cl:3:15
//   |
// 3 | int twice(int value) { return value * 2; }
//   |               -----
//
// error: implicit declaration of function 'twicee' is invalid in OpenCL; did you mean 'twice'?
//   --> test.cl:10:12
//    |
// 10 |   out[3] = twicee(3);
//    |            ^^^^^^
//
// error: implicit declaration of function 'nothing_like_it' is invalid in OpenCL
//   --> test.cl:11:12
//    |
// 11 |   out[4] = nothing_like_it(3);
//    |            ^^^^^^^^^^^^^^^
//
// error: called object type 'int' is not a function or function pointer
//   --> test.cl:12:12
//    |
// 12 |   out[5] = n();
//    |            ^^^
//
// error: no matching function for call to 'over'
//   --> test.cl:13:12
//    |
// 13 |   out[6] = over(s);
//    |            ^^^^ argument types: (struct S)
//    |
// note: candidate function not viable: no known conversion from 'struct S' to 'int' for 1st argument
//   --> test.cl:4:35
//    |
//  4 | int __attribute__((overloadable)) over(int a) { return a; }
//    |                                   ----
// note: candidate function not viable: no known conversion from 'struct S' to 'float4' (vector of 4 'float' values) for 1st argument
//   --> test.cl:5:35
//    |
//  5 | int __attribute__((overloadable)) over(float4 a) { return a.x; }
//    |                                   ----
//
// error: no member named 'lenght' in 'struct S'; did you mean 'length'?
//   --> test.cl:14:14
//    |
// 14 |   out[7] = s.lenght;
//    |              ^^^^^^
//
// error: member reference type 'struct S' is not a pointer
//   --> test.cl:15:12
//    |
// 15 |   out[8] = s->length;
//    |            ^^^^^^^^^
//    |
// help: use '.' instead of '->'
//
// error: member reference base type '__global float *' is not a structure or union
//   --> test.cl:16:12
//    |
// 16 |   out[9] = g.length;
//    |            ^^^^^^^^
//
// error: member reference base type 'int' is not a structure or union
//   --> test.cl:17:13
//    |
// 17 |   out[10] = n.length;
//    |             ^^^^^^^^
//
// error: use of undeclared identifier 'undeclared'
//   --> test.cl:18:13
//    |
// 18 |   out[11] = undeclared + undeclared;
//    |             ^^^^^^^^^^
//
// error: no matching function for call to 'sin'
//   --> test.cl:19:10
//    |
// 19 |   g[0] = sin();
//    |          ^^^
//    |
// note: candidate function 'float sin(float)' not viable: requires 1 argument, but 0 were provided
//
// error: no matching function for call to 'sin'
//   --> test.cl:20:10
//    |
// 20 |   g[1] = sin(v, v);
//    |          ^^^ argument types: (float4, float4)
//    |
// note: candidate function 'float4 sin(float4)' not viable: requires 1 argument, but 2 were provided
//
// error: call to 'max' is ambiguous
//   --> test.cl:21:10
//    |
// 21 |   g[2] = max(n, 1.0f);
//    |          ^^^ argument types: (int, float)
//    |
// note: candidate function 'int max(int, int)'
// note: candidate function 'float max(float, float)'
//
// error: implicit declaration of function 'sinn' is invalid in OpenCL; did you mean 'sin'?
//   --> test.cl:22:10
//    |
// 22 |   g[3] = sinn(g[0]);
//    |          ^^^^
//
// error: no matching function for call to 'dot'
//   --> test.cl:23:10
//    |
// 23 |   g[4] = dot(v, g);
//    |          ^^^ argument types: (float4, __global float *)
//    |
// note: candidate function 'float dot(float4, float4)' not viable: no known conversion from '__global float *' to 'float4' (vector of 4 'float' values) for 2nd argument
// note: candidate function 'unsigned int dot(uchar4, uchar4)' not viable: no known conversion from 'float4' (vector of 4 'float' values) to 'uchar4' (vector of 4 'unsigned char' values) for 1st argument: there are no implicit conversions between vector types
// note: candidate function 'int dot(char4, char4)' not viable: no known conversion from 'float4' (vector of 4 'float' values) to 'char4' (vector of 4 'char' values) for 1st argument: there are no implicit conversions between vector types
// note: candidate function 'int dot(uchar4, char4)' not viable: no known conversion from 'float4' (vector of 4 'float' values) to 'uchar4' (vector of 4 'unsigned char' values) for 1st argument: there are no implicit conversions between vector types
//
// error: no matching function for call to 'read_imagef'
//   --> test.cl:24:7
//    |
// 24 |   v = read_imagef(sampler, image, (int2)(0));
//    |       ^^^^^^^^^^^ argument types: (sampler_t, __read_only image2d_t, int2)
//    |
// note: candidate function 'float4 read_imagef(__read_only image2d_t, sampler_t, int2)' not viable: no known conversion from 'sampler_t' to '__read_only image2d_t' for 1st argument
// note: candidate function 'float read_imagef(__read_only image2d_depth_t, sampler_t, int2)' not viable: no known conversion from 'sampler_t' to '__read_only image2d_depth_t' for 1st argument
// note: candidate function 'float4 read_imagef(__read_only image1d_t, sampler_t, int)' not viable: no known conversion from 'sampler_t' to '__read_only image1d_t' for 1st argument
// note: candidate function 'float4 read_imagef(__read_only image2d_msaa_t, int2, int)' not viable: no known conversion from 'sampler_t' to '__read_only image2d_msaa_t' for 1st argument
//
// error: no matching function for call to 'fract'
//   --> test.cl:26:10
//    |
// 26 |   g[6] = fract(g[0], n);
//    |          ^^^^^ argument types: (float, int)
//    |
// note: candidate function 'float fract(float, float *)' not viable: no known conversion from 'int' to 'float *' for 2nd argument
//
// warning: incompatible pointer types passing '__global float *' to parameter of type 'volatile __global int *' [-Wincompatible-pointer-types]
//   --> test.cl:27:24
//    |
// 27 |   out[13] = atomic_add(g, 1);
//    |                        ^
//
// error: taking address of function is not allowed
//   --> test.cl:28:13
//    |
// 28 |   out[14] = get_global_id;
//    |             ^^^^^^^^^^^^^
//
// error: assigning to 'int' from incompatible type 'float4' (vector of 4 'float' values)
//   --> test.cl:29:13
//    |
// 29 |   out[15] = shuffle(v, (uint4)(0));
//    |             ^^^^^^^^^^^^^^^^^^^^^^
//
// warning: incompatible pointer types passing '__global int *' to parameter of type '__global float *' [-Wincompatible-pointer-types]
//   --> test.cl:30:17
//    |
// 30 |   vstore4(v, 0, out);
//    |                 ^^^
//
// error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
//   --> test.cl:31:13
//    |
// 31 |   out[16] = as_int4(v);
//    |             ^^^^^^^^^^
//
// error: no matching function for call to 'barrier'
//   --> test.cl:32:3
//    |
// 32 |   barrier();
//    |   ^^^^^^^
//    |
// note: candidate function 'void barrier(unsigned int)' not viable: requires 1 argument, but 0 were provided
//
// error: no matching function for call to 'get_global_id'
//   --> test.cl:33:13
//    |
// 33 |   out[17] = get_global_id(v);
//    |             ^^^^^^^^^^^^^ argument types: (float4)
//    |
// note: candidate function 'unsigned long get_global_id(unsigned int)' not viable: no known conversion from 'float4' (vector of 4 'float' values) to 'unsigned int' for 1st argument
