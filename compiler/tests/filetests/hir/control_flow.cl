// switch, loops with hints, goto (6.11.2 of unrolling, C99 6.8).
int scan(int n) {
  int total = 0;
  __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < n; i++) {
    switch (i) {
    case -1:
    case 2 ... 5:
      total += 2;
      break;
    default:
      continue;
    }
  }
  for (;;)
    break;
  do
    --n;
  while (n > 10);
again:
  while (n) {
    if (n == 3)
      goto done;
    else
      n -= 1;
  }
  if (total)
    goto again;
done:
  return total;
}
// ---
// Function #0 scan 'int (int)'
//   label_count 2
//   Parameter %0 n '__private int' align 4
//   PrivateVariable %1 total '__private int' align 4
//   PrivateVariable %2 i '__private int' align 4
//   body
//     Declare %1 total
//       Int 'int' 0
//     For unroll(4)
//       init
//         Declare %2 i
//           Int 'int' 0
//       condition
//         Convert 'bool' <Arithmetic>
//           Binary 'int' '<'
//             Load 'int'
//               PrivateVariable '__private int' lvalue %2 i
//             Load 'int'
//               PrivateVariable '__private int' lvalue %0 n
//       step
//         Increment 'int' postfix '++'
//           PrivateVariable '__private int' lvalue %2 i
//       body
//         Switch
//           selector
//             Load 'int'
//               PrivateVariable '__private int' lvalue %2 i
//           cases
//             0: -1
//             1: 2 ... 5
//             2: default
//           body
//             Case 0
//             Case 1
//             CompoundAssign 'int' '+=' computation 'int'
//               PrivateVariable '__private int' lvalue %1 total
//               Int 'int' 2
//             Break
//             Case 2
//             Continue
//     For
//       init
//       body
//         Break
//     DoWhile
//       body
//         Increment 'int' prefix '--'
//           PrivateVariable '__private int' lvalue %0 n
//       condition
//         Convert 'bool' <Arithmetic>
//           Binary 'int' '>'
//             Load 'int'
//               PrivateVariable '__private int' lvalue %0 n
//             Int 'int' 10
//     Label 0
//     While
//       condition
//         Convert 'bool' <Arithmetic>
//           Load 'int'
//             PrivateVariable '__private int' lvalue %0 n
//       body
//         If
//           condition
//             Convert 'bool' <Arithmetic>
//               Binary 'int' '=='
//                 Load 'int'
//                   PrivateVariable '__private int' lvalue %0 n
//                 Int 'int' 3
//           then
//             Goto 1
//           otherwise
//             CompoundAssign 'int' '-=' computation 'int'
//               PrivateVariable '__private int' lvalue %0 n
//               Int 'int' 1
//     If
//       condition
//         Convert 'bool' <Arithmetic>
//           Load 'int'
//             PrivateVariable '__private int' lvalue %1 total
//       then
//         Goto 0
//     Label 1
//     Return
//       Load 'int'
//         PrivateVariable '__private int' lvalue %1 total
