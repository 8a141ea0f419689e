// Falling through, a default in the middle, `break`.
int choose(int n) {
    int r = 0;
    switch (n) {
    case 1: r = 10;
    default: r += 1; break;
    case 5: return 2;
    }
    return r;
}
// ---
// func @choose(%0: i32) -> i32 exported {
//   %1: ptr.private = alloca size 4 align 4
//   %2: ptr.private = alloca size 4 align 4
//   store align 4 %1, %0
//   store align 4 %2, i32 0
//   %3: i32 = load align 4 %1
//   switch %3 () case 1 {
//     store align 4 %2, i32 10
//     fallthrough
//   } case default {
//     %4: i32 = load align 4 %2
//     %5: i32 = add %4, i32 1
//     store align 4 %2, %5
//     break
//   } case 5 {
//     return i32 2
//   }
//   %6: i32 = load align 4 %2
//   return %6
// }
