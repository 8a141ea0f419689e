// Atomic objects are operands of functions, and of no operator but those that only read them (clang rejects the same lines).
// options: -cl-std=CL2.0
kernel void k(global atomic_int *p, global int *q, int n) {
  *p = 3; // error: atomic objects cannot be operands of an assignment
  p[1] = n; // error: atomic objects cannot be operands of an assignment
  q[0] = *p; // error: atomic objects cannot be operands of an assignment
  *p += 1; // error: invalid operands to binary expression ('_Atomic(int)' and 'int')
  (*p)++; // error: cannot increment value of type '_Atomic(int)'
  int y = *p;
  q[1] = (int)*p + y;
  int z = -*p; // error: invalid argument type '_Atomic(int)' to unary expression
  z = *p + 1; // error: invalid operands to binary expression ('_Atomic(int)' and 'int')
  switch (*p) { // error: statement requires expression of integer type ('_Atomic(int)' invalid)
  }
}
// ---
// error: atomic objects cannot be operands of an assignment
//  --> test.cl:4:6
//   |
// 4 |   *p = 3;
//   |      ^
//   |
// help: use 'atomic_store', 'atomic_load' or 'atomic_init'
//
// error: atomic objects cannot be operands of an assignment
//  --> test.cl:5:8
//   |
// 5 |   p[1] = n;
//   |        ^
//   |
// help: use 'atomic_store', 'atomic_load' or 'atomic_init'
//
// error: atomic objects cannot be operands of an assignment
//  --> test.cl:6:8
//   |
// 6 |   q[0] = *p;
//   |        ^
//   |
// help: use 'atomic_store', 'atomic_load' or 'atomic_init'
//
// error: invalid operands to binary expression ('_Atomic(int)' and 'int')
//  --> test.cl:7:6
//   |
// 7 |   *p += 1;
//   |      ^^
//
// error: cannot increment value of type '_Atomic(int)'
//  --> test.cl:8:3
//   |
// 8 |   (*p)++;
//   |   ^^^^^^
//
// error: invalid argument type '_Atomic(int)' to unary expression
//   --> test.cl:11:11
//    |
// 11 |   int z = -*p;
//    |           ^^^
//
// error: invalid operands to binary expression ('_Atomic(int)' and 'int')
//   --> test.cl:12:10
//    |
// 12 |   z = *p + 1;
//    |          ^
//
// error: statement requires expression of integer type ('_Atomic(int)' invalid)
//   --> test.cl:13:11
//    |
// 13 |   switch (*p) {
//    |           ^^
