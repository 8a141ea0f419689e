// Each kind of loop, with `break` and `continue`.
int sum(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3) continue;
        if (i == 7) break;
        s += i;
    }
    do s++; while (s < 5);
    return s;
}
// ---
// func @sum(%0: i32) -> i32 exported {
//   %1: ptr.private = alloca size 4 align 4
//   %2: ptr.private = alloca size 4 align 4
//   %3: ptr.private = alloca size 4 align 4
//   store align 4 %1, %0
//   store align 4 %2, i32 0
//   store align 4 %3, i32 0
//   loop () {
//     %4: i32 = load align 4 %3
//     %5: i32 = load align 4 %1
//     %6: bool = slt %4, %5
//     if %6 {
//       yield
//     } else {
//       break
//     }
//     %7: i32 = load align 4 %3
//     %8: bool = eq %7, i32 3
//     if %8 {
//       continue
//     } else {
//       yield
//     }
//     %9: i32 = load align 4 %3
//     %10: bool = eq %9, i32 7
//     if %10 {
//       break
//     } else {
//       yield
//     }
//     %11: i32 = load align 4 %3
//     %12: i32 = load align 4 %2
//     %13: i32 = add %12, %11
//     store align 4 %2, %13
//     continue
//   } continuing {
//     %14: i32 = load align 4 %3
//     %15: i32 = add %14, i32 1
//     store align 4 %3, %15
//     next
//   }
//   loop () {
//     %16: i32 = load align 4 %2
//     %17: i32 = add %16, i32 1
//     store align 4 %2, %17
//     continue
//   } continuing {
//     %18: i32 = load align 4 %2
//     %19: bool = slt %18, i32 5
//     next_if %19 () ()
//   }
//   %20: i32 = load align 4 %2
//   return %20
// }
