// Usual conversions, signedness of operations, shift counts that are taken modulo the width (6.3, 6.3.j).
int mixed(uchar a, short b, uint c) { return (a + b) / (int)c + (int)(c % 7u) + (a << b); }
long compare(float x, double y, uint a, int b) { return x < y && a > b; }
// ---
// func @mixed(%0: i8, %1: i16, %2: i32) -> i32 exported {
//   %3: ptr.private = alloca size 1 align 1
//   %4: ptr.private = alloca size 2 align 2
//   %5: ptr.private = alloca size 4 align 4
//   store align 1 %3, %0
//   store align 2 %4, %1
//   store align 4 %5, %2
//   %6: i8 = load align 1 %3
//   %7: i32 = zext %6
//   %8: i16 = load align 2 %4
//   %9: i32 = sext %8
//   %10: i32 = add %7, %9
//   %11: i32 = load align 4 %5
//   %12: i32 = sdiv %10, %11
//   %13: i32 = load align 4 %5
//   %14: i32 = urem %13, i32 7
//   %15: i32 = add %12, %14
//   %16: i8 = load align 1 %3
//   %17: i32 = zext %16
//   %18: i16 = load align 2 %4
//   %19: i32 = sext %18
//   %20: i32 = and %19, i32 31
//   %21: i32 = shl %17, %20
//   %22: i32 = add %15, %21
//   return %22
// }
// func @compare(%0: f32, %1: f64, %2: i32, %3: i32) -> i64 exported {
//   %4: ptr.private = alloca size 4 align 4
//   %5: ptr.private = alloca size 8 align 8
//   %6: ptr.private = alloca size 4 align 4
//   %7: ptr.private = alloca size 4 align 4
//   store align 4 %4, %0
//   store align 8 %5, %1
//   store align 4 %6, %2
//   store align 4 %7, %3
//   %8: f32 = load align 4 %4
//   %9: f64 = fext %8
//   %10: f64 = load align 8 %5
//   %11: bool = flt %9, %10
//   %12: i32 = load align 4 %6
//   %13: i32 = load align 4 %7
//   %14: bool = ugt %12, %13
//   %15: bool = and %11, %14
//   %16: i32 = zext %15
//   %17: i64 = zext %15
//   return %17
// }
