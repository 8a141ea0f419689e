// -cl-std=CL2.0 --target opencl2.0
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
  plain = ^{ out[0] = 2; }; // error: cannot assign to variable 'plain' with const-qualified type
  int (^other)(int) = ^(float x) { return 1; }; // error: initializing 'int (^)(int)' with an expression of incompatible type 'int (^)(float)'
  n ? plain() : plain();
  (n ? plain : plain)(); // error: block type cannot be used as expression in ternary expression in OpenCL
  void (^outer)(void) = ^{ plain(); }; // error: cannot refer to a block inside block
  void (^fine)(void) = ^{ out[1] = global_block(2); };
  void (^changes)(void) = ^{ n = 3; }; // error: cannot assign to variable 'n' with const-qualified type
  int (^mixed)(int) = ^(int x) { if (x) return 1; return 2.0f; }; // error: return type 'float' must match previous return type 'int' when block literal has unspecified explicit return type
  int few = global_block(); // error: too few arguments to block call, expected 1, have 0
  static int (^captures)(void) = ^{ return n; }; // error: initializer element is not a compile-time constant
  extern int (^elsewhere)(void) = ^{ return 1; }; // error: invalid block variable declaration - must not be 'extern' ('int (^)(void)')
  for (;;) { void (^leaves)(void) = ^{ break; }; } // error: 'break' statement not in loop or switch statement
  fine();
}
