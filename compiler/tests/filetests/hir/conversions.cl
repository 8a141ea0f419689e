// Usual arithmetic conversions, conversions of assignments, conditions and pointers (6.3.2, 6.4, C99 6.3).
double mixed(uchar a, uint b, long c) {
  float f = a * b + c;
  f += 0.1;
  a <<= b;
  return -a ? f : c && b;
}
float4 vectors(int4 v, float s) {
  return (v < 3 ? convert_float4(v) : s) + 1;
}
ulong pointers(global uint *p, constant char *s, bool b) {
  global void *v = p;
  if (p)
    (void)v;
  return (ulong)(p - 1) + (p - (global uint *)v) + (p == 0) + !s + b;
}
// ---
// Function #0 mixed 'double (uchar, uint, long)'
//   Parameter %0 a '__private uchar' align 1
//   Parameter %1 b '__private uint' align 4
//   Parameter %2 c '__private long' align 8
//   PrivateVariable %3 f '__private float' align 4
//   body
//     Declare %3 f
//       Convert 'float' <Arithmetic>
//         Binary 'long' '+'
//           Convert 'long' <Arithmetic>
//             Binary 'uint' '*'
//               Convert 'uint' <Arithmetic>
//                 Convert 'int' <Arithmetic>
//                   Load 'uchar'
//                     PrivateVariable '__private uchar' lvalue %0 a
//               Load 'uint'
//                 PrivateVariable '__private uint' lvalue %1 b
//           Load 'long'
//             PrivateVariable '__private long' lvalue %2 c
//     CompoundAssign 'float' '+=' computation 'double'
//       PrivateVariable '__private float' lvalue %3 f
//       Float 'double' 0.1
//     CompoundAssign 'uchar' '<<=' computation 'int'
//       PrivateVariable '__private uchar' lvalue %0 a
//       Load 'uint'
//         PrivateVariable '__private uint' lvalue %1 b
//     Return
//       Convert 'double' <Arithmetic>
//         Conditional 'float'
//           Convert 'bool' <Arithmetic>
//             Unary 'int' '-'
//               Convert 'int' <Arithmetic>
//                 Load 'uchar'
//                   PrivateVariable '__private uchar' lvalue %0 a
//           Load 'float'
//             PrivateVariable '__private float' lvalue %3 f
//           Convert 'float' <Arithmetic>
//             Logical 'int' '&&'
//               Convert 'bool' <Arithmetic>
//                 Load 'long'
//                   PrivateVariable '__private long' lvalue %2 c
//               Convert 'bool' <Arithmetic>
//                 Load 'uint'
//                   PrivateVariable '__private uint' lvalue %1 b
//
// Function #1 vectors 'float4 (int4, float)'
//   Parameter %0 v '__private int4' align 16
//   Parameter %1 s '__private float' align 4
//   body
//     Return
//       Binary 'float4' '+'
//         Select 'float4'
//           Binary 'int4' '<'
//             Load 'int4'
//               PrivateVariable '__private int4' lvalue %0 v
//             Convert 'int4' <Splat>
//               Int 'int' 3
//           Convert 'float4' <Arithmetic>
//             Load 'int4'
//               PrivateVariable '__private int4' lvalue %0 v
//           Convert 'float4' <Splat>
//             Load 'float'
//               PrivateVariable '__private float' lvalue %1 s
//         Convert 'float4' <Splat>
//           Float 'float' 1.0
//
// Function #2 pointers 'ulong (__global uint *, __constant char *, bool)'
//   Parameter %0 p '__global uint *__private' align 8
//   Parameter %1 s '__constant char *__private' align 8
//   Parameter %2 b '__private bool' align 1
//   PrivateVariable %3 v '__global void *__private' align 8
//   body
//     Declare %3 v
//       Convert '__global void *' <Pointer>
//         Load '__global uint *'
//           PrivateVariable '__global uint *__private' lvalue %0 p
//     If
//       condition
//         Convert 'bool' <PointerToBool>
//           Load '__global uint *'
//             PrivateVariable '__global uint *__private' lvalue %0 p
//       then
//         Convert 'void' <Discard>
//           Load '__global void *'
//             PrivateVariable '__global void *__private' lvalue %3 v
//     Return
//       Binary 'ulong' '+'
//         Binary 'ulong' '+'
//           Binary 'ulong' '+'
//             Binary 'ulong' '+'
//               Convert 'ulong' <PointerToInt>
//                 PointerAdd '__global uint *' '-'
//                   Load '__global uint *'
//                     PrivateVariable '__global uint *__private' lvalue %0 p
//                   Int 'int' 1
//               Convert 'ulong' <Arithmetic>
//                 PointerDifference 'long'
//                   Load '__global uint *'
//                     PrivateVariable '__global uint *__private' lvalue %0 p
//                   Convert '__global uint *' <Pointer>
//                     Load '__global void *'
//                       PrivateVariable '__global void *__private' lvalue %3 v
//             Convert 'ulong' <Arithmetic>
//               Binary 'int' '=='
//                 Load '__global uint *'
//                   PrivateVariable '__global uint *__private' lvalue %0 p
//                 Int '__global uint *' 0
//           Convert 'ulong' <Arithmetic>
//             Unary 'int' '!'
//               Convert 'bool' <PointerToBool>
//                 Load '__constant char *'
//                   PrivateVariable '__constant char *__private' lvalue %1 s
//         Convert 'ulong' <Arithmetic>
//           Convert 'int' <Arithmetic>
//             Load 'bool'
//               PrivateVariable '__private bool' lvalue %2 b
