// Signatures, attributes, overloads, declarations (6.7, 6.9, 6.11).
int declared(const int *p);
static inline int twice(int a) { return a * 2; }
__attribute__((overloadable, noinline)) float over(float a) { return a; }
__attribute__((overloadable, always_inline)) int over(volatile local int *a) { return *a; }
__attribute__((reqd_work_group_size(8, 4, 1), vec_type_hint(float4))) kernel void
attributes(global const float *restrict a, local int *b, const uint2 c) {
  int __attribute__((aligned(16))) first = twice(over(b)), second = ({
                                                             int t = first;
                                                             t++;
                                                           });
  first = (second++, over(a[0]));
}
// ---
// Function #0 declared 'int (const __private int *)' declaration
//   Parameter %0 p 'const __private int *__private' align 8
//
// Function #1 twice 'int (int)' internal
//   Parameter %0 a '__private int' align 4
//   body
//     Return
//       Binary 'int' '*'
//         Load 'int'
//           PrivateVariable '__private int' lvalue %0 a
//         Int 'int' 2
//
// Function #2 over 'float (float)' internal noinline
//   Parameter %0 a '__private float' align 4
//   body
//     Return
//       Load 'float'
//         PrivateVariable '__private float' lvalue %0 a
//
// Function #3 over 'int (volatile __local int *)' internal always_inline
//   Parameter %0 a 'volatile __local int *__private' align 8
//   body
//     Return
//       Load 'int'
//         Deref 'volatile __local int' lvalue
//           Load 'volatile __local int *'
//             PrivateVariable 'volatile __local int *__private' lvalue %0 a
//
// Function #4 attributes 'void (const __global float *, __local int *, uint2)' kernel
//   KernelAttributes reqd_work_group_size(8, 4, 1) vec_type_hint(float4)
//     KernelParameter a 'float*' __global const restrict
//     KernelParameter b 'int*' __local
//     KernelParameter c 'uint2' __private
//   callees #3 over, #1 twice, #2 over
//   Parameter %0 a 'const __global float *restrict __private' align 8
//   Parameter %1 b '__local int *__private' align 8
//   Parameter %2 c 'const __private uint2' align 8
//   PrivateVariable %3 first '__private int' align 16
//   PrivateVariable %4 second '__private int' align 16
//   PrivateVariable %5 t '__private int' align 4
//   body
//     Declare %3 first
//       Call 'int' #1 twice
//         Call 'int' #3 over
//           Convert 'volatile __local int *' <Pointer>
//             Load '__local int *'
//               PrivateVariable '__local int *__private' lvalue %1 b
//     Declare %4 second
//       StatementExpr 'int'
//         body
//           Declare %5 t
//             Load 'int'
//               PrivateVariable '__private int' lvalue %3 first
//         value
//           Increment 'int' postfix '++'
//             PrivateVariable '__private int' lvalue %5 t
//     Assign 'int'
//       PrivateVariable '__private int' lvalue %3 first
//       Convert 'int' <Arithmetic>
//         Comma 'float'
//           Increment 'int' postfix '++'
//             PrivateVariable '__private int' lvalue %4 second
//           Call 'float' #2 over
//             Load 'float'
//               Deref 'const __global float' lvalue
//                 PointerAdd 'const __global float *' '+'
//                   Load 'const __global float *'
//                     PrivateVariable 'const __global float *restrict __private' lvalue %0 a
//                   Int 'int' 0
