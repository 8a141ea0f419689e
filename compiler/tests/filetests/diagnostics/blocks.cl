// options: -cl-std=CL2.0
// target: opencl2.0
// What clang 15 rejects in blocks, and what the specification's 6.14 does.
typedef void (^Plain)(void);
int (^uninitialised)(void); // error: invalid block variable declaration - must be initialized
int taken(int (^block)(int)) { return 0; } // error: declaring function parameter of type 'int (^)(int)' is not allowed
Plain given(void); // error: declaring function return value of type 'void (^)(void)' is not allowed
struct Holder { Plain member; }; // error: the 'void (^)(void)' type cannot be used to declare a structure or union field
void none(int ^x) { } // error: block pointer to non-function type is invalid
int (^global_block)(int) = ^(int x) { return x + 1; };
kernel void k(global int *out, int n) {
  Plain plain = ^{ out[0] = 1; };
  Plain array[2]; // error: array of 'void (^)(void)' type is invalid in OpenCL
  Plain *pointer; // error: pointer to type 'void (^)(void)' is invalid in OpenCL
  plain = ^{ out[0] = 2; }; // error: cannot assign to variable 'plain' with const-qualified type 'void (^)(void)'
  int (^other)(int) = ^(float x) { return 1; }; // error: initializing 'int (^)(int)' with an expression of incompatible type 'int (^)(float)'
  n ? plain() : plain(); // clang: rejects the line, though only the values of calls are chosen
  (n ? plain : plain)(); // error: block type cannot be used as expression in ternary expression in OpenCL // clang: accepts, having told it in the line before
  void (^outer)(void) = ^{ plain(); }; // error: cannot refer to a block inside block
  void (^fine)(void) = ^{ out[1] = global_block(2); };
  void (^changes)(void) = ^{ n = 3; }; // error: cannot assign to variable 'n' with const-qualified type 'const int'
  int (^mixed)(int) = ^(int x) { if (x) return 1; return 2.0f; }; // error: return type 'float' must match previous return type 'int' when block literal has unspecified explicit return type
  int few = global_block(); // error: too few arguments to block call, expected 1, have 0
  static int (^captures)(void) = ^{ return n; }; // error: initializer element is not a compile-time constant
  extern int (^elsewhere)(void) = ^{ return 1; }; // error: invalid block variable declaration - must not be 'extern' ('int (^)(void)')
  for (;;) { void (^leaves)(void) = ^{ break; }; } // error: 'break' statement not in loop or switch statement
  fine();
}
// ---
// error: invalid block variable declaration - must be initialized
//  --> test.cl:5:7
//   |
// 5 | int (^uninitialised)(void);
//   |       ^^^^^^^^^^^^^
//
// error: declaring function parameter of type 'int (^)(int)' is not allowed
//  --> test.cl:6:11
//   |
// 6 | int taken(int (^block)(int)) { return 0; }
//   |           ^^^^^^^^^^^^^^^^^
//
// error: declaring function return value of type 'void (^)(void)' is not allowed
//  --> test.cl:7:7
//   |
// 7 | Plain given(void);
//   |       ^^^^^^^^^^^
//
// error: the 'void (^)(void)' type cannot be used to declare a structure or union field
//  --> test.cl:8:23
//   |
// 8 | struct Holder { Plain member; };
//   |                       ^^^^^^
//
// error: block pointer to non-function type is invalid
//  --> test.cl:9:15
//   |
// 9 | void none(int ^x) { }
//   |               ^
//
// error: array of 'void (^)(void)' type is invalid in OpenCL
//   --> test.cl:13:14
//    |
// 13 |   Plain array[2];
//    |              ^^^
//
// error: pointer to type 'void (^)(void)' is invalid in OpenCL
//   --> test.cl:14:9
//    |
// 14 |   Plain *pointer;
//    |         ^
//
// error: cannot assign to variable 'plain' with const-qualified type 'void (^)(void)'
//   --> test.cl:15:9
//    |
// 15 |   plain = ^{ out[0] = 2; };
//    |         ^
//
// error: initializing 'int (^)(int)' with an expression of incompatible type 'int (^)(float)'
//   --> test.cl:16:23
//    |
// 16 |   int (^other)(int) = ^(float x) { return 1; };
//    |                       ^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: block type cannot be used as expression in ternary expression in OpenCL
//   --> test.cl:18:4
//    |
// 18 |   (n ? plain : plain)();
//    |    ^^^^^^^^^^^^^^^^^
//
// error: cannot refer to a block inside block
//   --> test.cl:19:28
//    |
// 19 |   void (^outer)(void) = ^{ plain(); };
//    |                            ^^^^^
//
// error: cannot assign to variable 'n' with const-qualified type 'const int'
//   --> test.cl:21:32
//    |
// 21 |   void (^changes)(void) = ^{ n = 3; };
//    |                                ^
//
// error: return type 'float' must match previous return type 'int' when block literal has unspecified explicit return type
//   --> test.cl:22:51
//    |
// 22 |   int (^mixed)(int) = ^(int x) { if (x) return 1; return 2.0f; };
//    |                                                   ^^^^^^^^^^^^
//
// error: too few arguments to block call, expected 1, have 0
//   --> test.cl:23:13
//    |
// 23 |   int few = global_block();
//    |             ^^^^^^^^^^^^^^
//
// error: initializer element is not a compile-time constant
//   --> test.cl:24:34
//    |
// 24 |   static int (^captures)(void) = ^{ return n; };
//    |                                  ^^^^^^^^^^^^^^
//
// error: invalid block variable declaration - must not be 'extern' ('int (^)(void)')
//   --> test.cl:25:16
//    |
// 25 |   extern int (^elsewhere)(void) = ^{ return 1; };
//    |                ^^^^^^^^^
//
// error: 'break' statement not in loop or switch statement
//   --> test.cl:26:40
//    |
// 26 |   for (;;) { void (^leaves)(void) = ^{ break; }; }
//    |                                        ^^^^^^
