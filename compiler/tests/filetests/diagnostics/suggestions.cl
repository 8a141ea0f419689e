// "did you mean": variables, functions, built-in functions, members, types, enumerators.
struct Particle { float velocity; float position; };
typedef struct Particle particle_type;
enum { LIMIT_OF_STEPS = 3 };
float distance_to(float a) { return a; }
kernel void k(global float *output, struct Particle p, int count) {
  outptu[0] = 1; // error: use of undeclared identifier 'outptu'; did you mean 'output'?
  output[1] = distnace_to(2); // error: implicit declaration of function 'distnace_to' is invalid in OpenCL; did you mean 'distance_to'?
  output[2] = p.velocty; // error: no member named 'velocty' in 'struct Particle'; did you mean 'velocity'?
  particle_typ q; // error: unknown type name 'particle_typ'; did you mean 'particle_type'?
  output[3] = LIMIT_OF_STEP; // error: use of undeclared identifier 'LIMIT_OF_STEP'; did you mean 'LIMIT_OF_STEPS'?
  output[4] = sqtr(2.0f); // error: implicit declaration of function 'sqtr' is invalid in OpenCL
  output[5] = get_globl_id(0); // error: implicit declaration of function 'get_globl_id' is invalid in OpenCL; did you mean 'get_global_id'?
  output[6] = zzzzzz; // error: use of undeclared identifier 'zzzzzz'
  Particle r; // error: must use 'struct' tag to refer to type 'Particle'
}
// ---
// error: unknown type name 'particle_typ'; did you mean 'particle_type'?
//   --> test.cl:10:3
//    |
// 10 |   particle_typ q;
//    |   ^^^^^^^^^^^^
//
// error: must use 'struct' tag to refer to type 'Particle'
//   --> test.cl:15:3
//    |
// 15 |   Particle r;
//    |   ^^^^^^^^
//
// error: use of undeclared identifier 'outptu'; did you mean 'output'?
//  --> test.cl:7:3
//   |
// 7 |   outptu[0] = 1;
//   |   ^^^^^^
//
// error: implicit declaration of function 'distnace_to' is invalid in OpenCL; did you mean 'distance_to'?
//  --> test.cl:8:15
//   |
// 8 |   output[1] = distnace_to(2);
//   |               ^^^^^^^^^^^
//
// error: no member named 'velocty' in 'struct Particle'; did you mean 'velocity'?
//  --> test.cl:9:17
//   |
// 9 |   output[2] = p.velocty;
//   |                 ^^^^^^^
//
// error: use of undeclared identifier 'LIMIT_OF_STEP'; did you mean 'LIMIT_OF_STEPS'?
//   --> test.cl:11:15
//    |
// 11 |   output[3] = LIMIT_OF_STEP;
//    |               ^^^^^^^^^^^^^
//
// error: implicit declaration of function 'sqtr' is invalid in OpenCL
//   --> test.cl:12:15
//    |
// 12 |   output[4] = sqtr(2.0f);
//    |               ^^^^
//
// error: implicit declaration of function 'get_globl_id' is invalid in OpenCL; did you mean 'get_global_id'?
//   --> test.cl:13:15
//    |
// 13 |   output[5] = get_globl_id(0);
//    |               ^^^^^^^^^^^^
//
// error: use of undeclared identifier 'zzzzzz'
//   --> test.cl:14:15
//    |
// 14 |   output[6] = zzzzzz;
//    |               ^^^^^^
