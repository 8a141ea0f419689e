// Block literals, what they capture, calls of them, and what is enqueued (6.14, 6.15.17).
// options: -cl-std=CL2.0
// target: opencl2.0
kernel void enqueue(global int *out, int n) {
  int (^add)(int) = ^(int x) { return x + n; };
  out[0] = add(1);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{ out[1] = 0; });
  void (^with_local)(local void *) = ^(local void *scratch) { out[2] = n; };
  enqueue_kernel(get_default_queue(), 0, ndrange_1D(n), with_local, 64u);
  out[3] = get_kernel_work_group_size(with_local);
}
// ---
// Function #0 enqueue 'void (__global int *, int)' kernel
//   KernelAttributes
//     KernelParameter out 'int*' __global
//     KernelParameter n 'int' __private
//   callees #1 __enqueue_block_invoke
//   builtins get_default_queue, ndrange_1D
//   Parameter %0 out '__global int *__private' align 8
//   Parameter %1 n '__private int' align 4
//   PrivateVariable %2 add 'int (^const __private)(int)' align 8
//   PrivateVariable %3 with_local 'void (^const __private)(__local void *)' align 8
//   body
//     Declare %2 add
//       BlockLiteral 'int (^)(int)' #1 __enqueue_block_invoke
//         offset 16
//           Load 'int'
//             PrivateVariable '__private int' lvalue %1 n
//     Assign 'int'
//       Deref '__global int' lvalue
//         PointerAdd '__global int *' '+'
//           Load '__global int *'
//             PrivateVariable '__global int *__private' lvalue %0 out
//           Int 'int' 0
//       Call 'int' #1 __enqueue_block_invoke
//         Convert 'void (^)(void)' <Bits>
//           Load 'int (^)(int)'
//             PrivateVariable 'int (^const __private)(int)' lvalue %2 add
//         Int 'int' 1
//     Enqueue 'int' enqueue_kernel #2 __enqueue_block_invoke_2
//       Builtin 'queue_t' get_default_queue 'queue_t (void)'
//       Int 'uint' 0
//       Builtin 'ndrange_t' ndrange_1D 'ndrange_t (ulong)'
//         Convert 'ulong' <Arithmetic>
//           Load 'int'
//             PrivateVariable '__private int' lvalue %1 n
//       Int 'uint' 0
//       Int '__generic clk_event_t *' 0
//       Int '__generic clk_event_t *' 0
//       block
//         BlockLiteral 'void (^)(void)' #2 __enqueue_block_invoke_2
//           offset 16
//             Load '__global int *'
//               PrivateVariable '__global int *__private' lvalue %0 out
//     Declare %3 with_local
//       BlockLiteral 'void (^)(__local void *)' #3 __enqueue_block_invoke_3
//         offset 16
//           Load '__global int *'
//             PrivateVariable '__global int *__private' lvalue %0 out
//         offset 24
//           Load 'int'
//             PrivateVariable '__private int' lvalue %1 n
//     Enqueue 'int' enqueue_kernel #3 __enqueue_block_invoke_3
//       Builtin 'queue_t' get_default_queue 'queue_t (void)'
//       Int 'uint' 0
//       Builtin 'ndrange_t' ndrange_1D 'ndrange_t (ulong)'
//         Convert 'ulong' <Arithmetic>
//           Load 'int'
//             PrivateVariable '__private int' lvalue %1 n
//       Int 'uint' 0
//       Int '__generic clk_event_t *' 0
//       Int '__generic clk_event_t *' 0
//       block
//         Load 'void (^)(__local void *)'
//           PrivateVariable 'void (^const __private)(__local void *)' lvalue %3 with_local
//       sizes
//         Int 'ulong' 64
//     Assign 'int'
//       Deref '__global int' lvalue
//         PointerAdd '__global int *' '+'
//           Load '__global int *'
//             PrivateVariable '__global int *__private' lvalue %0 out
//           Int 'int' 3
//       Convert 'int' <Arithmetic>
//         Enqueue 'uint' get_kernel_work_group_size #3 __enqueue_block_invoke_3
//           block
//             Load 'void (^)(__local void *)'
//               PrivateVariable 'void (^const __private)(__local void *)' lvalue %3 with_local
//
// Function #1 __enqueue_block_invoke 'int (void (^)(void), int)' internal
//   BlockObject size 20 align 8
//   Parameter %0 'void (^__private)(void)' align 8
//   Parameter %1 x '__private int' align 4
//   PrivateVariable %2 n 'const __private int' align 4
//   body
//     Declare %2 n
//       Load 'int'
//         Deref '__generic int' lvalue
//           Convert '__generic int *' <Pointer>
//             PointerAdd '__generic uchar *' '+'
//               Convert '__generic uchar *' <Pointer>
//                 Load 'void (^)(void)'
//                   PrivateVariable 'void (^__private)(void)' lvalue %0
//               Int 'long' 16
//     Return
//       Binary 'int' '+'
//         Load 'int'
//           PrivateVariable '__private int' lvalue %1 x
//         Load 'int'
//           PrivateVariable 'const __private int' lvalue %2 n
//
// Function #2 __enqueue_block_invoke_2 'void (void (^)(void))' internal
//   BlockObject size 24 align 8
//   Parameter %0 'void (^__private)(void)' align 8
//   PrivateVariable %1 out '__global int *const __private' align 8
//   body
//     Declare %1 out
//       Load '__global int *'
//         Deref '__global int *__generic' lvalue
//           Convert '__global int *__generic *' <Pointer>
//             PointerAdd '__generic uchar *' '+'
//               Convert '__generic uchar *' <Pointer>
//                 Load 'void (^)(void)'
//                   PrivateVariable 'void (^__private)(void)' lvalue %0
//               Int 'long' 16
//     Assign 'int'
//       Deref '__global int' lvalue
//         PointerAdd '__global int *' '+'
//           Load '__global int *'
//             PrivateVariable '__global int *const __private' lvalue %1 out
//           Int 'int' 1
//       Int 'int' 0
//
// Function #3 __enqueue_block_invoke_3 'void (void (^)(void), __local void *)' internal
//   BlockObject size 28 align 8
//   Parameter %0 'void (^__private)(void)' align 8
//   Parameter %1 scratch '__local void *__private' align 8
//   PrivateVariable %2 out '__global int *const __private' align 8
//   PrivateVariable %3 n 'const __private int' align 4
//   body
//     Declare %2 out
//       Load '__global int *'
//         Deref '__global int *__generic' lvalue
//           Convert '__global int *__generic *' <Pointer>
//             PointerAdd '__generic uchar *' '+'
//               Convert '__generic uchar *' <Pointer>
//                 Load 'void (^)(void)'
//                   PrivateVariable 'void (^__private)(void)' lvalue %0
//               Int 'long' 16
//     Declare %3 n
//       Load 'int'
//         Deref '__generic int' lvalue
//           Convert '__generic int *' <Pointer>
//             PointerAdd '__generic uchar *' '+'
//               Convert '__generic uchar *' <Pointer>
//                 Load 'void (^)(void)'
//                   PrivateVariable 'void (^__private)(void)' lvalue %0
//               Int 'long' 24
//     Assign 'int'
//       Deref '__global int' lvalue
//         PointerAdd '__global int *' '+'
//           Load '__global int *'
//             PrivateVariable '__global int *const __private' lvalue %2 out
//           Int 'int' 2
//       Load 'int'
//         PrivateVariable 'const __private int' lvalue %3 n
