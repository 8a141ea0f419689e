#pragma OPENCL EXTENSION cl_khr_nothing : enable // warning: unknown OpenCL extension 'cl_khr_nothing' - ignoring
int global_variable = 3; // error: program scope variable must reside in constant address space
constant int no_value; // error: variable in constant address space must be initialized
constant int computed = get_global_id(0); // error: initializer element is not a compile-time constant
typedef int T;
typedef float T; // error: typedef redefinition with different types ('float' vs 'int')
int f(int a);
float f(int a) { return a; } // error: conflicting types for 'f'
int g(void) { return 1; }
int g(void) { return 2; } // error: redefinition of 'g'
int falls(int a) { if (a) return 1; } // warning: non-void function does not return a value
void gives(void) { return 1; } // error: void function 'gives' should not return a value
int gives_not(void) { return; } // error: non-void function 'gives_not' should return a value
struct Bits { int a : 3; }; // error: bit-fields are not supported in OpenCL
struct Twice { int a; int a; }; // error: duplicate member 'a'
struct Itself { struct Itself s; }; // error: field has incomplete type 'struct Itself'
enum { A, A }; // error: redefinition of 'A'
kernel int returns(void) { return 1; } // error: kernel must have void return type
kernel void private_pointer(int *p) { } // error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
kernel void truth(bool b) { } // error: 'bool' cannot be used as the type of a kernel parameter
kernel void size(size_t s) { } // error: 'size_t' cannot be used as the type of a kernel parameter
void helper(void) { local int x; } // error: non-kernel function variable cannot be declared in local address space
void pointer(void) { int (*p)(int); } // error: pointers to functions are not allowed
kernel void k(int n) {
  int n; // error: redefinition of 'n'
  struct Nowhere s; // error: variable has incomplete type 'struct Nowhere'
  int vla[n]; // error: variable length arrays are not supported in OpenCL
  int negative[-1]; // error: 'negative' declared as an array with a negative size
  int too_many[2] = { 1, 2, 3 }; // warning: excess elements in array initializer
  int unsized[]; // error: definition of variable with array type needs an explicit size or an initializer
  local int shared = 3; // error: '__local' variable cannot have an initializer
  static int kept; // error: variables in function scope cannot be declared static
  { local int nested; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  global int *q = ^{ }; // error: blocks require OpenCL C 2.0, or OpenCL C 3.0 with the feature '__opencl_c_device_enqueue'
}
