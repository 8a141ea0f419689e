// options: -cl-std=CL3.0
// clang: not asked, since no released version has the extension
#define MATRIX(rows, columns, use) __attribute__((coop_mat(3, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float MATRIX(16, 16, A) A;
typedef float MATRIX(16, 16, B) B;
typedef float MATRIX(16, 16, ACCUMULATOR) C;
typedef int MATRIX(16, 16, ACCUMULATOR) I;
typedef float MATRIX(8, 16, B) B8;
typedef bool MATRIX(16, 16, A) bools; // error: 'bool' cannot be the element type of a cooperative matrix
typedef float4 MATRIX(16, 16, A) vectors; // error: 'float4' (vector of 4 'float' values) cannot be the element type of a cooperative matrix
typedef float __attribute__((coop_mat(0, 16, 16, 0))) scope; // error: invalid 'scope' argument of cooperative matrix attribute
typedef float __attribute__((coop_mat(3, 16, 16, 3))) usage; // error: invalid 'use' argument of cooperative matrix attribute
typedef float __attribute__((coop_mat(3, 16, 16))) three; // error: 'coop_mat' attribute requires exactly 4 arguments
typedef float MATRIX(0, 16, A) empty; // error: a cooperative matrix has 1 to 4096 rows and columns, not 0
typedef float MATRIX(16, 100000, A) huge; // error: a cooperative matrix has 1 to 4096 rows and columns, not 100000
struct record { A a; }; // error: the 'float 16x16 CLK_COOPERATIVE_MATRIX_A' type cannot be used to declare a structure or union field
struct array { A a[2]; }; // error: the 'float 16x16 CLK_COOPERATIVE_MATRIX_A[2]' type cannot be used to declare a structure or union field
constant A in_constant = {0}; // error: a cooperative matrix can only be a private variable // error: initializing 'float 16x16 CLK_COOPERATIVE_MATRIX_A' with an expression of incompatible type 'int'
A *pointer; // error: a pointer to a cooperative matrix ('float 16x16 CLK_COOPERATIVE_MATRIX_A') is not possible
void parameter(A a[2]) {} // error: a pointer to a cooperative matrix ('float 16x16 CLK_COOPERATIVE_MATRIX_A') is not possible
kernel void argument(A a) {} // error: 'float 16x16 CLK_COOPERATIVE_MATRIX_A' cannot be used as the type of a kernel parameter

kernel void calls(global float *p, global const float *q, global int *integers, constant float *k, uint n) {
  A a; B b; C c; I i; B8 b8; float f, private_memory[256];
  a = coop_mat_load(p, ROWS, n);
  a = coop_mat_load(q, ROWS, n);
  a = coop_mat_load(k, ROWS, n);
  f = coop_mat_load(p, ROWS, n); // error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type
  a = coop_mat_load(integers, ROWS, n); // error: the matrix has elements of type 'float', and the pointer points to 'int'
  a = coop_mat_load(private_memory, ROWS, n); // error: a cooperative matrix is loaded from and stored to global or local memory
  a = coop_mat_load(f, ROWS, n); // error: a pointer to the components of the matrix is required, not 'float'
  a = coop_mat_load(p, 2, n); // error: the layout of a cooperative matrix in memory must be CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR or CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
  a = coop_mat_load(p, n, n); // error: the layout of a cooperative matrix in memory must be CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR or CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
  a = coop_mat_load(p, ROWS, f); // error: the stride of a cooperative matrix is an integer, not 'float'
  a = coop_mat_load(p, ROWS); // error: too few arguments to function call, expected 3, have 2
  coop_mat_store(q, a, ROWS, n); // error: a cooperative matrix cannot be stored to memory that is const
  coop_mat_store(k, a, ROWS, n); // error: a cooperative matrix is loaded from and stored to global or local memory
  coop_mat_store(p, f, ROWS, n); // error: the argument must be a cooperative matrix
  a = coop_mat_init(p); // error: a component of a cooperative matrix is required, not '__global float *'
  n = coop_mat_length(f); // error: the argument must be a cooperative matrix
  c = coop_mat_mulAdd(a, b, i); // error: the factors and the summand must all have floating or all integer elements
  c = coop_mat_mulAdd(a, b8, c); // error: cooperative matrices of shapes that cannot be multiplied: 16x16, 8x16, 16x16
  c = coop_mat_mulAdd(b, b, c); // error: the argument must be a cooperative matrix of use CLK_COOPERATIVE_MATRIX_A
  c = coop_mat_mulAdd(a, a, c); // error: the argument must be a cooperative matrix of use CLK_COOPERATIVE_MATRIX_B
  c = coop_mat_mulAdd(a, b, a); // error: the argument must be a cooperative matrix of use CLK_COOPERATIVE_MATRIX_ACCUMULATOR
  c = coop_mat_mulAdd(a, b, f); // error: the argument must be a cooperative matrix
  c = coop_mat_mulAdd(a, b, c, 0.5f); // error: fourth argument of 'coop_mat_mulAdd' must be CLK_COOPERATIVE_MATRIX_OPERAND_NONE or, of integers, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION
  c = coop_mat_mulAdd(a, b, c, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION); // error: fourth argument of 'coop_mat_mulAdd' must be CLK_COOPERATIVE_MATRIX_OPERAND_NONE or, of integers, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION
}

kernel void operators(global float *p) {
  A a; B b; C c; I i;
  local C in_local; // error: a cooperative matrix can only be a private variable
  static C lasting; // error: a cooperative matrix can only be a private variable
  a = b; // error: assigning to 'float 16x16 CLK_COOPERATIVE_MATRIX_A' from incompatible type 'float 16x16 CLK_COOPERATIVE_MATRIX_B'
  (void)(a + b); // error: operands that are cooperative matrices must be of one type
  (void)(c & c); // error: cooperative matrices have the binary operators '+', '-', '*' and '/' only
  (void)(a / 2.0f); // error: a cooperative matrix and a number have the operator '*' only
  (void)(2.0f * a);
  (void)(a == a); // error: cooperative matrices have the binary operators '+', '-', '*' and '/' only
  (void)!a; // error: invalid argument type 'float 16x16 CLK_COOPERATIVE_MATRIX_A' to unary expression
  (void)~i; // error: invalid argument type 'int 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR' to unary expression
  (void)a.x; // error: member reference base type 'float 16x16 CLK_COOPERATIVE_MATRIX_A' is not a structure or union
  (void)(B)a; // error: 'float 16x16 CLK_COOPERATIVE_MATRIX_A' cannot be converted to 'float 16x16 CLK_COOPERATIVE_MATRIX_B', which has another shape or use
  (void)(float)c; // error: operand of type 'float 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR' where arithmetic or pointer type is required
  (void)(I)c;
  (void)&a; // error: the address of a cooperative matrix cannot be taken
  (void)&a[0]; // error: the address of a component of a cooperative matrix cannot be taken
  (void)sizeof(a); // error: the size of a cooperative matrix is not known
  (void)sizeof(A); // error: the size of a cooperative matrix is not known
  a[p] = 1; // error: array subscript is not an integer
  if (c) p[0] = 1; // error: statement requires expression of scalar type ('float 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR' invalid)
  c++; // error: cannot increment value of type 'float 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR'
  c += a; // error: operands that are cooperative matrices must be of one type
  c -= c;
}

kernel void discarded(global float *p) {
  coop_mat_load(p, ROWS, 16); // error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type
  A a;
  a = p[0] > 0 ? coop_mat_init(1) : coop_mat_init(2); // error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type // error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type
}
// ---
// error: 'bool' cannot be the element type of a cooperative matrix
//   --> test.cl:10:14
//    |
// 10 | typedef bool MATRIX(16, 16, A) bools;
//    |              ^^^^^^
//    |
// note: in expansion of macro 'MATRIX'
//   --> test.cl:3:51
//    |
//  3 | #define MATRIX(rows, columns, use) __attribute__((coop_mat(3, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
//    |                                                   --------------------------------------------------------
//
// error: 'float4' (vector of 4 'float' values) cannot be the element type of a cooperative matrix
//   --> test.cl:11:16
//    |
// 11 | typedef float4 MATRIX(16, 16, A) vectors;
//    |                ^^^^^^
//    |
// note: in expansion of macro 'MATRIX'
//   --> test.cl:3:51
//    |
//  3 | #define MATRIX(rows, columns, use) __attribute__((coop_mat(3, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
//    |                                                   --------------------------------------------------------
//
// error: invalid 'scope' argument of cooperative matrix attribute
//   --> test.cl:12:30
//    |
// 12 | typedef float __attribute__((coop_mat(0, 16, 16, 0))) scope;
//    |                              ^^^^^^^^^^^^^^^^^^^^^^
//    |
// help: matrices have the scope of a sub-group
//
// error: invalid 'use' argument of cooperative matrix attribute
//   --> test.cl:13:30
//    |
// 13 | typedef float __attribute__((coop_mat(3, 16, 16, 3))) usage;
//    |                              ^^^^^^^^^^^^^^^^^^^^^^
//
// error: 'coop_mat' attribute requires exactly 4 arguments
//   --> test.cl:14:30
//    |
// 14 | typedef float __attribute__((coop_mat(3, 16, 16))) three;
//    |                              ^^^^^^^^^^^^^^^^^^^
//
// error: a cooperative matrix has 1 to 4096 rows and columns, not 0
//   --> test.cl:15:15
//    |
// 15 | typedef float MATRIX(0, 16, A) empty;
//    |               ^^^^^^
//    |
// note: in expansion of macro 'MATRIX'
//   --> test.cl:3:51
//    |
//  3 | #define MATRIX(rows, columns, use) __attribute__((coop_mat(3, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
//    |                                                   --------------------------------------------------------
//
// error: a cooperative matrix has 1 to 4096 rows and columns, not 100000
//   --> test.cl:16:15
//    |
// 16 | typedef float MATRIX(16, 100000, A) huge;
//    |               ^^^^^^
//    |
// note: in expansion of macro 'MATRIX'
//   --> test.cl:3:51
//    |
//  3 | #define MATRIX(rows, columns, use) __attribute__((coop_mat(3, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
//    |                                                   --------------------------------------------------------
//
// error: the 'float 16x16 CLK_COOPERATIVE_MATRIX_A' type cannot be used to declare a structure or union field
//   --> test.cl:17:19
//    |
// 17 | struct record { A a; };
//    |                   ^
//
// error: the 'float 16x16 CLK_COOPERATIVE_MATRIX_A[2]' type cannot be used to declare a structure or union field
//   --> test.cl:18:18
//    |
// 18 | struct array { A a[2]; };
//    |                  ^
//
// error: a cooperative matrix can only be a private variable
//   --> test.cl:19:12
//    |
// 19 | constant A in_constant = {0};
//    |            ^^^^^^^^^^^
//
// error: initializing 'float 16x16 CLK_COOPERATIVE_MATRIX_A' with an expression of incompatible type 'int'
//   --> test.cl:19:27
//    |
// 19 | constant A in_constant = {0};
//    |                           ^
//
// error: a pointer to a cooperative matrix ('float 16x16 CLK_COOPERATIVE_MATRIX_A') is not possible
//   --> test.cl:20:3
//    |
// 20 | A *pointer;
//    |   ^
//
// error: a pointer to a cooperative matrix ('float 16x16 CLK_COOPERATIVE_MATRIX_A') is not possible
//   --> test.cl:21:16
//    |
// 21 | void parameter(A a[2]) {}
//    |                ^^^^^^
//
// error: 'float 16x16 CLK_COOPERATIVE_MATRIX_A' cannot be used as the type of a kernel parameter
//   --> test.cl:22:24
//    |
// 22 | kernel void argument(A a) {}
//    |                        ^
//
// error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type
//   --> test.cl:29:7
//    |
// 29 |   f = coop_mat_load(p, ROWS, n);
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: the matrix has elements of type 'float', and the pointer points to 'int'
//   --> test.cl:30:21
//    |
// 30 |   a = coop_mat_load(integers, ROWS, n);
//    |                     ^^^^^^^^
//
// error: a cooperative matrix is loaded from and stored to global or local memory
//   --> test.cl:31:21
//    |
// 31 |   a = coop_mat_load(private_memory, ROWS, n);
//    |                     ^^^^^^^^^^^^^^
//
// error: a pointer to the components of the matrix is required, not 'float'
//   --> test.cl:32:21
//    |
// 32 |   a = coop_mat_load(f, ROWS, n);
//    |                     ^
//
// error: the layout of a cooperative matrix in memory must be CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR or CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
//   --> test.cl:33:24
//    |
// 33 |   a = coop_mat_load(p, 2, n);
//    |                        ^
//
// error: the layout of a cooperative matrix in memory must be CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR or CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
//   --> test.cl:34:24
//    |
// 34 |   a = coop_mat_load(p, n, n);
//    |                        ^
//
// error: the stride of a cooperative matrix is an integer, not 'float'
//   --> test.cl:35:30
//    |
// 35 |   a = coop_mat_load(p, ROWS, f);
//    |                              ^
//
// error: too few arguments to function call, expected 3, have 2
//   --> test.cl:36:7
//    |
// 36 |   a = coop_mat_load(p, ROWS);
//    |       ^^^^^^^^^^^^^
//
// error: a cooperative matrix cannot be stored to memory that is const
//   --> test.cl:37:18
//    |
// 37 |   coop_mat_store(q, a, ROWS, n);
//    |                  ^
//
// error: a cooperative matrix is loaded from and stored to global or local memory
//   --> test.cl:38:18
//    |
// 38 |   coop_mat_store(k, a, ROWS, n);
//    |                  ^
//
// error: the argument must be a cooperative matrix
//   --> test.cl:39:21
//    |
// 39 |   coop_mat_store(p, f, ROWS, n);
//    |                     ^
//
// error: a component of a cooperative matrix is required, not '__global float *'
//   --> test.cl:40:21
//    |
// 40 |   a = coop_mat_init(p);
//    |                     ^
//
// error: the argument must be a cooperative matrix
//   --> test.cl:41:23
//    |
// 41 |   n = coop_mat_length(f);
//    |                       ^
//
// error: the factors and the summand must all have floating or all integer elements
//   --> test.cl:42:7
//    |
// 42 |   c = coop_mat_mulAdd(a, b, i);
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: cooperative matrices of shapes that cannot be multiplied: 16x16, 8x16, 16x16
//   --> test.cl:43:7
//    |
// 43 |   c = coop_mat_mulAdd(a, b8, c);
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: the argument must be a cooperative matrix of use CLK_COOPERATIVE_MATRIX_A
//   --> test.cl:44:23
//    |
// 44 |   c = coop_mat_mulAdd(b, b, c);
//    |                       ^
//
// error: the argument must be a cooperative matrix of use CLK_COOPERATIVE_MATRIX_B
//   --> test.cl:45:26
//    |
// 45 |   c = coop_mat_mulAdd(a, a, c);
//    |                          ^
//
// error: the argument must be a cooperative matrix of use CLK_COOPERATIVE_MATRIX_ACCUMULATOR
//   --> test.cl:46:29
//    |
// 46 |   c = coop_mat_mulAdd(a, b, a);
//    |                             ^
//
// error: the argument must be a cooperative matrix
//   --> test.cl:47:29
//    |
// 47 |   c = coop_mat_mulAdd(a, b, f);
//    |                             ^
//
// error: fourth argument of 'coop_mat_mulAdd' must be CLK_COOPERATIVE_MATRIX_OPERAND_NONE or, of integers, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION
//   --> test.cl:48:32
//    |
// 48 |   c = coop_mat_mulAdd(a, b, c, 0.5f);
//    |                                ^^^^
//
// error: fourth argument of 'coop_mat_mulAdd' must be CLK_COOPERATIVE_MATRIX_OPERAND_NONE or, of integers, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION
//   --> test.cl:49:32
//    |
// 49 |   c = coop_mat_mulAdd(a, b, c, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
//    |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
// note: in expansion of macro 'CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION'
//   --> <built-in>:1:64
//    |
//  1 | #define CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION 0x10
//    |                                                                ----
//
// error: a cooperative matrix can only be a private variable
//   --> test.cl:54:11
//    |
// 54 |   local C in_local;
//    |           ^^^^^^^^
//
// error: a cooperative matrix can only be a private variable
//   --> test.cl:55:12
//    |
// 55 |   static C lasting;
//    |            ^^^^^^^
//
// error: assigning to 'float 16x16 CLK_COOPERATIVE_MATRIX_A' from incompatible type 'float 16x16 CLK_COOPERATIVE_MATRIX_B'
//   --> test.cl:56:7
//    |
// 56 |   a = b;
//    |       ^
//
// error: operands that are cooperative matrices must be of one type
//   --> test.cl:57:12
//    |
// 57 |   (void)(a + b);
//    |            ^
//
// error: cooperative matrices have the binary operators '+', '-', '*' and '/' only
//   --> test.cl:58:12
//    |
// 58 |   (void)(c & c);
//    |            ^
//
// error: a cooperative matrix and a number have the operator '*' only
//   --> test.cl:59:12
//    |
// 59 |   (void)(a / 2.0f);
//    |            ^
//
// error: cooperative matrices have the binary operators '+', '-', '*' and '/' only
//   --> test.cl:61:12
//    |
// 61 |   (void)(a == a);
//    |            ^^
//
// error: invalid argument type 'float 16x16 CLK_COOPERATIVE_MATRIX_A' to unary expression
//   --> test.cl:62:9
//    |
// 62 |   (void)!a;
//    |         ^^
//
// error: invalid argument type 'int 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR' to unary expression
//   --> test.cl:63:9
//    |
// 63 |   (void)~i;
//    |         ^^
//
// error: member reference base type 'float 16x16 CLK_COOPERATIVE_MATRIX_A' is not a structure or union
//   --> test.cl:64:9
//    |
// 64 |   (void)a.x;
//    |         ^^^
//
// error: 'float 16x16 CLK_COOPERATIVE_MATRIX_A' cannot be converted to 'float 16x16 CLK_COOPERATIVE_MATRIX_B', which has another shape or use
//   --> test.cl:65:9
//    |
// 65 |   (void)(B)a;
//    |         ^^^^
//
// error: operand of type 'float 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR' where arithmetic or pointer type is required
//   --> test.cl:66:9
//    |
// 66 |   (void)(float)c;
//    |         ^^^^^^^^
//
// error: the address of a cooperative matrix cannot be taken
//   --> test.cl:68:9
//    |
// 68 |   (void)&a;
//    |         ^^
//
// error: the address of a component of a cooperative matrix cannot be taken
//   --> test.cl:69:9
//    |
// 69 |   (void)&a[0];
//    |         ^^^^^
//
// error: the size of a cooperative matrix is not known
//   --> test.cl:70:15
//    |
// 70 |   (void)sizeof(a);
//    |               ^^^
//
// error: the size of a cooperative matrix is not known
//   --> test.cl:71:16
//    |
// 71 |   (void)sizeof(A);
//    |                ^
//
// error: array subscript is not an integer
//   --> test.cl:72:5
//    |
// 72 |   a[p] = 1;
//    |     ^
//
// error: statement requires expression of scalar type ('float 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR' invalid)
//   --> test.cl:73:7
//    |
// 73 |   if (c) p[0] = 1;
//    |       ^
//
// error: cannot increment value of type 'float 16x16 CLK_COOPERATIVE_MATRIX_ACCUMULATOR'
//   --> test.cl:74:3
//    |
// 74 |   c++;
//    |   ^^^
//
// error: operands that are cooperative matrices must be of one type
//   --> test.cl:75:5
//    |
// 75 |   c += a;
//    |     ^^
//
// error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type
//   --> test.cl:80:3
//    |
// 80 |   coop_mat_load(p, ROWS, 16);
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type
//   --> test.cl:82:18
//    |
// 82 |   a = p[0] > 0 ? coop_mat_init(1) : coop_mat_init(2);
//    |                  ^^^^^^^^^^^^^^^^
//
// error: the result of this function is a cooperative matrix, and must be assigned to a variable of such a type
//   --> test.cl:82:37
//    |
// 82 |   a = p[0] > 0 ? coop_mat_init(1) : coop_mat_init(2);
//    |                                     ^^^^^^^^^^^^^^^^
