// options: -cl-std=CL2.0
// target: opencl2.0
// Address spaces of block variables: clang 15 has them where other variables may be.
typedef int (^op_t)(int);
constant op_t constant_block = ^(int i) { return i + 1; };
int (^constant by_declarator)(int) = ^(int i) { return i + 2; };
global op_t global_block = ^(int i) { return i + 2; };
static constant op_t static_block = ^(int i) { return i + 2; };
const op_t const_block = ^(int i) { return i + 2; };
local op_t local_block = ^(int i) { return i + 2; }; // error: program scope variable must reside in global or constant address space
private op_t private_block = ^(int i) { return i + 2; }; // error: program scope variable must reside in global or constant address space
constant op_t uninitialised; // error: invalid block variable declaration - must be initialized
kernel void k(global int *out) {
  constant op_t a = ^(int i) { return i + 1; };
  int (^constant b)(int) = ^(int i) { return i + 1; };
  static constant op_t c = ^(int i) { return i + 1; };
  static global op_t d = ^(int i) { return i + 1; };
  constant op_t e = a;
  constant op_t f = constant_block;
  op_t g = a;
  private op_t h = ^(int i) { return i + 1; };
  constant op_t captures = ^(int i) { return i + out[0]; }; // error: initializer element is not a compile-time constant
  constant op_t copied = g; // error: initializer element is not a compile-time constant
  local op_t in_local = ^(int i) { return i + 1; }; // error: '__local' variable cannot have an initializer
  local op_t in_local_too; // error: invalid block variable declaration - must be initialized // clang: accepts a block that nothing initialises
  int (^global in_global)(int) = ^(int i) { return i + 1; }; // error: function scope variable cannot be declared in global address space
  int (^generic in_generic)(int) = ^(int i) { return i + 1; }; // error: function scope variable cannot be declared in generic address space
  if (out[3]) { constant op_t inner = ^(int i) { return i + 1; }; } // error: variables in the constant address space can only be declared in the outermost scope of a kernel function
  void (^uses)(void) = ^{ out[0] = a(2) + constant_block(2); };
  out[0] = a(1) + b(1) + c(1) + d(1) + e(1) + f(1) + g(1) + h(1) + by_declarator(1) + static_block(1) + global_block(1);
}
