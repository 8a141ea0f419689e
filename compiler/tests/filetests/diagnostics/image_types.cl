// Images, samplers, events and their like are restricted (6.3.3, 6.11.b and c).
// options: -cl-std=CL2.0
constant sampler_t good = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
sampler_t bare = 0; // error: global sampler requires a const or constant address space qualifier
struct Holder {
  image2d_t image; // error: the '__read_only image2d_t' type cannot be used to declare a structure or union field
  sampler_t sampler; // error: the 'sampler_t' type cannot be used to declare a structure or union field
  event_t event; // error: the 'event_t' type cannot be used to declare a structure or union field
};
image2d_t result(int a); // error: declaring function return value of type '__read_only image2d_t' is not allowed
sampler_t result_sampler(int a); // error: declaring function return value of type 'sampler_t' is not allowed
void pointers(read_only image2d_t *p) {} // error: pointer to type '__read_only image2d_t' is invalid in OpenCL
void arrays(read_only image2d_t p[2]) {} // error: array of '__read_only image2d_t' type is invalid in OpenCL
kernel void k(read_only image2d_t i, sampler_t s, global float4 *out) {
  read_only image2d_t copy = i; // error: type '__read_only image2d_t' can only be used as a function parameter in OpenCL
  sampler_t list[2]; // error: array of 'sampler_t' type is invalid in OpenCL
  sampler_t *p = &s; // error: pointer to type 'sampler_t' is invalid in OpenCL
  out[0] = *i; // error: indirection requires pointer operand ('__read_only image2d_t' invalid)
  out[1] = i[0]; // error: subscripted value is not an array, pointer, or vector
  write_imagef(i, (int2)(0), out[0]); // error: no matching function for call to 'write_imagef'
  s = good; // error: invalid operands to binary expression ('sampler_t' and 'sampler_t')
  i = i; // error: invalid operands to binary expression ('__read_only image2d_t' and '__read_only image2d_t')
  out[2] = read_imagef(out[3].x > 0 ? i : i, s, (float2)(0)); // error: incompatible operand types ('__read_only image2d_t' and '__read_only image2d_t')
  bool same = s == good; // error: invalid operands to binary expression ('sampler_t' and 'sampler_t')
}
kernel void event(event_t e) {} // error: 'event_t' cannot be used as the type of a kernel parameter
// ---
// error: global sampler requires a const or constant address space qualifier
//  --> test.cl:4:11
//   |
// 4 | sampler_t bare = 0;
//   |           ^^^^
//
// error: the '__read_only image2d_t' type cannot be used to declare a structure or union field
//  --> test.cl:6:13
//   |
// 6 |   image2d_t image;
//   |             ^^^^^
//
// error: the 'sampler_t' type cannot be used to declare a structure or union field
//  --> test.cl:7:13
//   |
// 7 |   sampler_t sampler;
//   |             ^^^^^^^
//
// error: the 'event_t' type cannot be used to declare a structure or union field
//  --> test.cl:8:11
//   |
// 8 |   event_t event;
//   |           ^^^^^
//
// error: declaring function return value of type '__read_only image2d_t' is not allowed
//   --> test.cl:10:1
//    |
// 10 | image2d_t result(int a);
//    | ^^^^^^^^^
//
// error: declaring function return value of type 'sampler_t' is not allowed
//   --> test.cl:11:1
//    |
// 11 | sampler_t result_sampler(int a);
//    | ^^^^^^^^^
//
// error: pointer to type '__read_only image2d_t' is invalid in OpenCL
//   --> test.cl:12:35
//    |
// 12 | void pointers(read_only image2d_t *p) {}
//    |                                   ^
//
// error: array of '__read_only image2d_t' type is invalid in OpenCL
//   --> test.cl:13:34
//    |
// 13 | void arrays(read_only image2d_t p[2]) {}
//    |                                  ^^^
//
// error: type '__read_only image2d_t' can only be used as a function parameter in OpenCL
//   --> test.cl:15:23
//    |
// 15 |   read_only image2d_t copy = i;
//    |                       ^^^^
//
// error: array of 'sampler_t' type is invalid in OpenCL
//   --> test.cl:16:17
//    |
// 16 |   sampler_t list[2];
//    |                 ^^^
//
// error: pointer to type 'sampler_t' is invalid in OpenCL
//   --> test.cl:17:13
//    |
// 17 |   sampler_t *p = &s;
//    |             ^
//
// error: indirection requires pointer operand ('__read_only image2d_t' invalid)
//   --> test.cl:18:12
//    |
// 18 |   out[0] = *i;
//    |            ^^
//
// error: subscripted value is not an array, pointer, or vector
//   --> test.cl:19:12
//    |
// 19 |   out[1] = i[0];
//    |            ^^^^
//
// error: no matching function for call to 'write_imagef'
//   --> test.cl:20:3
//    |
// 20 |   write_imagef(i, (int2)(0), out[0]);
//    |   ^^^^^^^^^^^^ argument types: (__read_only image2d_t, int2, float4)
//    |
// note: candidate function 'void write_imagef(__write_only image2d_t, int2, float4)' not viable: no known conversion from '__read_only image2d_t' to '__write_only image2d_t' for 1st argument: the access qualifiers differ
//
// error: invalid operands to binary expression ('sampler_t' and 'sampler_t')
//   --> test.cl:21:5
//    |
// 21 |   s = good;
//    |     ^
//
// error: invalid operands to binary expression ('__read_only image2d_t' and '__read_only image2d_t')
//   --> test.cl:22:5
//    |
// 22 |   i = i;
//    |     ^
//
// error: incompatible operand types ('__read_only image2d_t' and '__read_only image2d_t')
//   --> test.cl:23:24
//    |
// 23 |   out[2] = read_imagef(out[3].x > 0 ? i : i, s, (float2)(0));
//    |                        ^^^^^^^^^^^^^^^^^^^^
//
// error: invalid operands to binary expression ('sampler_t' and 'sampler_t')
//   --> test.cl:24:17
//    |
// 24 |   bool same = s == good;
//    |                 ^^
//
// error: 'event_t' cannot be used as the type of a kernel parameter
//   --> test.cl:26:27
//    |
// 26 | kernel void event(event_t e) {}
//    |                           ^
