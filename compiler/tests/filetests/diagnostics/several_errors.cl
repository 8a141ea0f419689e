// Several mistakes in one run: each is told once, and what depends on it is silent.
typedef struct { float3 position; flaot mass; } Body; // error: unknown type name 'flaot'
float weight(Body b) { return b.mass * gravity; } // error: use of undeclared identifier 'gravity'
float4 broken(float4 v) { return v * undefined_factor + v.xyz; } // error: use of undeclared identifier 'undefined_factor'
kernel void k(global Body *bodies, global float *out, int n) {
  int i = get_global_id(0);
  int wrong = out; // error: incompatible pointer to integer conversion initializing 'int' with an expression of type '__global float *'
  int uses_wrong = wrong + 1;
  Body b = bodies[i];
  float w = weight(b);
  out[i] = w + uses_wrong + missing(b) + broken(b.position); // error: implicit declaration of function 'missing' is invalid in OpenCL // error: passing 'float3' (vector of 3 'float' values) to parameter of incompatible type 'float4' (vector of 4 'float' values)
  unknown_t x = 3; // error: unknown type name 'unknown_t'
  x.y = 4; // clang: rejects, a consequence of the line before
  for (int j = 0; j < n; j++) { out[j] = j.x; } // error: member reference base type 'int' is not a structure or union
  return 1; // error: void function 'k' should not return a value
}
// ---
// error: unknown type name 'flaot'
//  --> test.cl:2:35
//   |
// 2 | typedef struct { float3 position; flaot mass; } Body;
//   |                                   ^^^^^
//
// error: unknown type name 'unknown_t'
//   --> test.cl:12:3
//    |
// 12 |   unknown_t x = 3;
//    |   ^^^^^^^^^
//
// error: use of undeclared identifier 'gravity'
//  --> test.cl:3:40
//   |
// 3 | float weight(Body b) { return b.mass * gravity; }
//   |                                        ^^^^^^^
//
// error: use of undeclared identifier 'undefined_factor'
//  --> test.cl:4:38
//   |
// 4 | float4 broken(float4 v) { return v * undefined_factor + v.xyz; }
//   |                                      ^^^^^^^^^^^^^^^^
//
// error: incompatible pointer to integer conversion initializing 'int' with an expression of type '__global float *'
//  --> test.cl:7:15
//   |
// 7 |   int wrong = out;
//   |               ^^^
//
// error: implicit declaration of function 'missing' is invalid in OpenCL
//   --> test.cl:11:29
//    |
// 11 |   out[i] = w + uses_wrong + missing(b) + broken(b.position);
//    |                             ^^^^^^^
//
// error: passing 'float3' (vector of 3 'float' values) to parameter of incompatible type 'float4' (vector of 4 'float' values)
//   --> test.cl:11:49
//    |
// 11 |   out[i] = w + uses_wrong + missing(b) + broken(b.position);
//    |                                                 ^^^^^^^^^^
//    |
// note: passing argument to parameter here
//   --> test.cl:4:22
//    |
//  4 | float4 broken(float4 v) { return v * undefined_factor + v.xyz; }
//    |                      -
//
// error: member reference base type 'int' is not a structure or union
//   --> test.cl:14:42
//    |
// 14 |   for (int j = 0; j < n; j++) { out[j] = j.x; }
//    |                                          ^^^
//
// error: void function 'k' should not return a value
//   --> test.cl:15:3
//    |
// 15 |   return 1;
//    |   ^^^^^^^^^
