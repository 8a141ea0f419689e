// Calls of built-in functions: the overload that is chosen, and the conversions of its arguments.
// options: -cl-std=CL3.0
kernel void calls(global float4 *p, global int *counter, read_only image2d_t image, sampler_t s) {
  size_t i = get_global_id(0);
  p[i] = fmax(p[i], 1) + clamp(p[i], 0.0f, (float)i);
  p[i] += read_imagef(image, s, (int2)(1, 2));
  float whole;
  float part = fract(p[i].x, &whole) + vload4(1, (global float *)p).w;
  atomic_add(counter, convert_int_sat_rte(part));
  printf("%d\n", (char)whole);
  barrier(CLK_LOCAL_MEM_FENCE);
}
// ---
// ModuleVariable @0 '__constant char[4]' align 1 internal string
//   Constant size 4
//     0: 25 64 0a 00
//
// Function #0 calls 'void (__global float4 *, __global int *, __read_only image2d_t, sampler_t)' kernel
//   KernelAttributes
//     KernelParameter p 'float4*' __global
//     KernelParameter counter 'int*' __global
//     KernelParameter image 'image2d_t' __global
//     KernelParameter s 'sampler_t' __private
//   builtins get_global_id, fmax, clamp, read_imagef, fract, vload4, convert_int_sat_rte, atomic_add, printf, barrier
//   Parameter %0 p '__global float4 *__private' align 8
//   Parameter %1 counter '__global int *__private' align 8
//   Parameter %2 image '__private __read_only image2d_t' align 8
//   Parameter %3 s '__private sampler_t' align 8
//   PrivateVariable %4 i '__private ulong' align 8
//   PrivateVariable %5 whole '__private float' align 4
//   PrivateVariable %6 part '__private float' align 4
//   body
//     Declare %4 i
//       Builtin 'ulong' get_global_id 'ulong (uint)'
//         Int 'uint' 0
//     Assign 'float4'
//       Deref '__global float4' lvalue
//         PointerAdd '__global float4 *' '+'
//           Load '__global float4 *'
//             PrivateVariable '__global float4 *__private' lvalue %0 p
//           Load 'ulong'
//             PrivateVariable '__private ulong' lvalue %4 i
//       Binary 'float4' '+'
//         Builtin 'float4' fmax 'float4 (float4, float)'
//           Load 'float4'
//             Deref '__global float4' lvalue
//               PointerAdd '__global float4 *' '+'
//                 Load '__global float4 *'
//                   PrivateVariable '__global float4 *__private' lvalue %0 p
//                 Load 'ulong'
//                   PrivateVariable '__private ulong' lvalue %4 i
//           Float 'float' 1.0
//         Builtin 'float4' clamp 'float4 (float4, float, float)'
//           Load 'float4'
//             Deref '__global float4' lvalue
//               PointerAdd '__global float4 *' '+'
//                 Load '__global float4 *'
//                   PrivateVariable '__global float4 *__private' lvalue %0 p
//                 Load 'ulong'
//                   PrivateVariable '__private ulong' lvalue %4 i
//           Float 'float' 0.0
//           Convert 'float' <Arithmetic>
//             Load 'ulong'
//               PrivateVariable '__private ulong' lvalue %4 i
//     CompoundAssign 'float4' '+=' computation 'float4'
//       Deref '__global float4' lvalue
//         PointerAdd '__global float4 *' '+'
//           Load '__global float4 *'
//             PrivateVariable '__global float4 *__private' lvalue %0 p
//           Load 'ulong'
//             PrivateVariable '__private ulong' lvalue %4 i
//       Builtin 'float4' read_imagef 'float4 (__read_only image2d_t, sampler_t, int2)'
//         Load '__read_only image2d_t'
//           PrivateVariable '__private __read_only image2d_t' lvalue %2 image
//         Load 'sampler_t'
//           PrivateVariable '__private sampler_t' lvalue %3 s
//         VectorLiteral 'int2'
//           Int 'int' 1
//           Int 'int' 2
//     Declare %5 whole
//     Declare %6 part
//       Binary 'float' '+'
//         Builtin 'float' fract 'float (float, __private float *)'
//           Load 'float'
//             Lanes '__global float' lvalue .s0
//               Deref '__global float4' lvalue
//                 PointerAdd '__global float4 *' '+'
//                   Load '__global float4 *'
//                     PrivateVariable '__global float4 *__private' lvalue %0 p
//                   Load 'ulong'
//                     PrivateVariable '__private ulong' lvalue %4 i
//           AddressOf '__private float *'
//             PrivateVariable '__private float' lvalue %5 whole
//         Swizzle 'float' .s3
//           Builtin 'float4' vload4 'float4 (ulong, const __global float *)'
//             Int 'ulong' 1
//             Convert 'const __global float *' <Pointer>
//               Convert '__global float *' <Pointer>
//                 Load '__global float4 *'
//                   PrivateVariable '__global float4 *__private' lvalue %0 p
//     Builtin 'int' atomic_add 'int (volatile __global int *, int)'
//       Convert 'volatile __global int *' <Pointer>
//         Load '__global int *'
//           PrivateVariable '__global int *__private' lvalue %1 counter
//       Builtin 'int' convert_int_sat_rte 'int (float)'
//         Load 'float'
//           PrivateVariable '__private float' lvalue %6 part
//     Builtin 'int' printf 'int (__constant char *, ...)'
//       AddressOf '__constant char *'
//         ModuleVariable '__constant char[4]' lvalue @0
//       Convert 'int' <Arithmetic>
//         Convert 'char' <Arithmetic>
//           Load 'float'
//             PrivateVariable '__private float' lvalue %5 whole
//     Builtin 'void' barrier 'void (uint)'
//       Int 'uint' 1
