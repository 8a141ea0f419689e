// Components of vectors as values and as places, chosen at compile time and at run time (6.3.7).
float2 read(float4 v, float16 w) { return v.wx + w.s0F; }
float value(int i) { return ((float4)(1, 2, (float2)(3)))[i]; }
void write(global float3 *p, float2 x, int i) {
  p->yx = x;
  p[1].hi.x = x.y;
  (*p)[i] = 0;
  p->even += x;
}
int4 lanes(int4 a, int4 b) { return (a == b && a != b) ? a >> 1 : ~b; }
// ---
// Function #0 read 'float2 (float4, float16)'
//   Parameter %0 v '__private float4' align 16
//   Parameter %1 w '__private float16' align 64
//   body
//     Return
//       Binary 'float2' '+'
//         Load 'float2'
//           Lanes '__private float2' lvalue .s30
//             PrivateVariable '__private float4' lvalue %0 v
//         Load 'float2'
//           Lanes '__private float2' lvalue .s0f
//             PrivateVariable '__private float16' lvalue %1 w
//
// Function #1 value 'float (int)'
//   Parameter %0 i '__private int' align 4
//   body
//     Return
//       Load 'float'
//         Lane '__private float' lvalue
//           Temporary '__private float4' lvalue
//             VectorLiteral 'float4'
//               Float 'float' 1.0
//               Float 'float' 2.0
//               Convert 'float2' <Splat>
//                 Float 'float' 3.0
//           Load 'int'
//             PrivateVariable '__private int' lvalue %0 i
//
// Function #2 write 'void (__global float3 *, float2, int)'
//   Parameter %0 p '__global float3 *__private' align 8
//   Parameter %1 x '__private float2' align 8
//   Parameter %2 i '__private int' align 4
//   body
//     Assign 'float2'
//       Lanes '__global float2' lvalue .s10
//         Deref '__global float3' lvalue
//           Load '__global float3 *'
//             PrivateVariable '__global float3 *__private' lvalue %0 p
//       Load 'float2'
//         PrivateVariable '__private float2' lvalue %1 x
//     Assign 'float'
//       Lanes '__global float' lvalue .s2
//         Deref '__global float3' lvalue
//           PointerAdd '__global float3 *' '+'
//             Load '__global float3 *'
//               PrivateVariable '__global float3 *__private' lvalue %0 p
//             Int 'int' 1
//       Load 'float'
//         Lanes '__private float' lvalue .s1
//           PrivateVariable '__private float2' lvalue %1 x
//     Assign 'float'
//       Lane '__global float' lvalue
//         Deref '__global float3' lvalue
//           Load '__global float3 *'
//             PrivateVariable '__global float3 *__private' lvalue %0 p
//         Load 'int'
//           PrivateVariable '__private int' lvalue %2 i
//       Float 'float' 0.0
//     CompoundAssign 'float2' '+=' computation 'float2'
//       Lanes '__global float2' lvalue .s02
//         Deref '__global float3' lvalue
//           Load '__global float3 *'
//             PrivateVariable '__global float3 *__private' lvalue %0 p
//       Load 'float2'
//         PrivateVariable '__private float2' lvalue %1 x
//
// Function #3 lanes 'int4 (int4, int4)'
//   Parameter %0 a '__private int4' align 16
//   Parameter %1 b '__private int4' align 16
//   body
//     Return
//       Select 'int4'
//         Binary 'int4' '&&'
//           Binary 'int4' '!='
//             Binary 'int4' '=='
//               Load 'int4'
//                 PrivateVariable '__private int4' lvalue %0 a
//               Load 'int4'
//                 PrivateVariable '__private int4' lvalue %1 b
//             Convert 'int4' <Splat>
//               Int 'int' 0
//           Binary 'int4' '!='
//             Binary 'int4' '!='
//               Load 'int4'
//                 PrivateVariable '__private int4' lvalue %0 a
//               Load 'int4'
//                 PrivateVariable '__private int4' lvalue %1 b
//             Convert 'int4' <Splat>
//               Int 'int' 0
//         Binary 'int4' '>>'
//           Load 'int4'
//             PrivateVariable '__private int4' lvalue %0 a
//           Convert 'int4' <Splat>
//             Int 'int' 1
//         Unary 'int4' '~'
//           Load 'int4'
//             PrivateVariable '__private int4' lvalue %1 b
