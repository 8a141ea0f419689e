// Kernels and their parameters (6.9.1 of OpenCL C 1.2, 6.11.a).
// options: -cl-std=CL1.2
struct Pointers { global int *p; };
struct Inner { struct Pointers q[2]; };
union Booleans { bool b; int i; };
typedef size_t length;
kernel int returns(void) { return 1; } // error: kernel must have void return type
kernel void private_pointer(int *p) {} // error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
kernel void private_array(int p[4]) {} // error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
kernel void truth(bool b) {} // error: 'bool' cannot be used as the type of a kernel parameter
kernel void size(size_t s) {} // error: 'size_t' cannot be used as the type of a kernel parameter
kernel void difference(ptrdiff_t s) {} // error: 'ptrdiff_t' cannot be used as the type of a kernel parameter
kernel void integer(intptr_t s) {} // error: 'intptr_t' cannot be used as the type of a kernel parameter
kernel void unsigned_integer(uintptr_t s) {} // error: 'uintptr_t' cannot be used as the type of a kernel parameter
kernel void named(length s) {} // error: 'length' cannot be used as the type of a kernel parameter
kernel void record(struct Pointers s) {} // error: 'struct Pointers' cannot be used as the type of a kernel parameter: struct kernel parameters may not contain pointers
kernel void nested(struct Inner s) {} // error: 'struct Inner' cannot be used as the type of a kernel parameter: struct kernel parameters may not contain pointers
kernel void booleans(union Booleans s) {} // error: 'union Booleans' cannot be used as the type of a kernel parameter: it contains a type that kernels cannot take
kernel void twice(global int **p) {} // error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
kernel void event(event_t e) {} // error: 'event_t' cannot be used as the type of a kernel parameter
kernel void pointer_to_bool(global bool *p) {}
kernel void variable(int n, ...) {} // error: invalid prototype, variadic arguments are not allowed in OpenCL
kernel void function(int f(int)) {} // error: pointers to functions are not allowed
static kernel void hidden(int n) {} // error: kernel functions cannot be declared static
kernel int x; // error: 'kernel' can only be applied to functions // error: program scope variable must reside in constant address space
kernel void main(int n) {} // error: kernel cannot be called 'main'
kernel void nothing();
kernel void one(int n) {}
kernel void one(int n) {} // error: redefinition of 'one'
int two(int n);
kernel void two(int n) {} // error: conflicting types for 'two'
void three(int n);
kernel void three(int n) {}
kernel void four(void v) {} // error: argument may not have 'void' type
kernel void five(int n, int n) {} // error: redefinition of parameter 'n'
kernel void six(image2d_t read_only i) {}
kernel void seven(read_only read_only image2d_t i) {} // warning: duplicate access qualifier
kernel void eight(read_only int i) {} // error: access qualifier can only be used for pipe and image type
kernel void nine(struct Unknown u) {} // error: variable has incomplete type 'struct Unknown'
kernel void known_pointer(global int *p, struct Pointers s) {}
// ---
// error: kernel must have void return type
//  --> test.cl:7:8
//   |
// 7 | kernel int returns(void) { return 1; }
//   |        ^^^
//
// error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
//  --> test.cl:8:34
//   |
// 8 | kernel void private_pointer(int *p) {}
//   |                                  ^
//
// error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
//  --> test.cl:9:31
//   |
// 9 | kernel void private_array(int p[4]) {}
//   |                               ^
//
// error: 'bool' cannot be used as the type of a kernel parameter
//   --> test.cl:10:24
//    |
// 10 | kernel void truth(bool b) {}
//    |                        ^
//
// error: 'size_t' cannot be used as the type of a kernel parameter
//   --> test.cl:11:25
//    |
// 11 | kernel void size(size_t s) {}
//    |                         ^
//
// error: 'ptrdiff_t' cannot be used as the type of a kernel parameter
//   --> test.cl:12:34
//    |
// 12 | kernel void difference(ptrdiff_t s) {}
//    |                                  ^
//
// error: 'intptr_t' cannot be used as the type of a kernel parameter
//   --> test.cl:13:30
//    |
// 13 | kernel void integer(intptr_t s) {}
//    |                              ^
//
// error: 'uintptr_t' cannot be used as the type of a kernel parameter
//   --> test.cl:14:40
//    |
// 14 | kernel void unsigned_integer(uintptr_t s) {}
//    |                                        ^
//
// error: 'length' cannot be used as the type of a kernel parameter
//   --> test.cl:15:26
//    |
// 15 | kernel void named(length s) {}
//    |                          ^
//
// error: 'struct Pointers' cannot be used as the type of a kernel parameter: struct kernel parameters may not contain pointers
//   --> test.cl:16:36
//    |
// 16 | kernel void record(struct Pointers s) {}
//    |                                    ^
//    |
// note: field of the illegal type declared here
//   --> test.cl:3:31
//    |
//  3 | struct Pointers { global int *p; };
//    |                               -
//
// error: 'struct Inner' cannot be used as the type of a kernel parameter: struct kernel parameters may not contain pointers
//   --> test.cl:17:33
//    |
// 17 | kernel void nested(struct Inner s) {}
//    |                                 ^
//    |
// note: field of the illegal type declared here
//   --> test.cl:3:31
//    |
//  3 | struct Pointers { global int *p; };
//    |                               -
//
// error: 'union Booleans' cannot be used as the type of a kernel parameter: it contains a type that kernels cannot take
//   --> test.cl:18:37
//    |
// 18 | kernel void booleans(union Booleans s) {}
//    |                                     ^
//    |
// note: field of the illegal type declared here
//   --> test.cl:5:23
//    |
//  5 | union Booleans { bool b; int i; };
//    |                       -
//
// error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
//   --> test.cl:19:32
//    |
// 19 | kernel void twice(global int **p) {}
//    |                                ^
//
// error: 'event_t' cannot be used as the type of a kernel parameter
//   --> test.cl:20:27
//    |
// 20 | kernel void event(event_t e) {}
//    |                           ^
//
// error: invalid prototype, variadic arguments are not allowed in OpenCL
//   --> test.cl:22:13
//    |
// 22 | kernel void variable(int n, ...) {}
//    |             ^^^^^^^^^^^^^^^^^^^^
//
// error: pointers to functions are not allowed
//   --> test.cl:23:22
//    |
// 23 | kernel void function(int f(int)) {}
//    |                      ^^^^^^^^^^
//
// error: kernel functions cannot be declared static
//   --> test.cl:24:20
//    |
// 24 | static kernel void hidden(int n) {}
//    |                    ^^^^^^
//
// error: 'kernel' can only be applied to functions
//   --> test.cl:25:12
//    |
// 25 | kernel int x;
//    |            ^
//
// error: program scope variable must reside in constant address space
//   --> test.cl:25:12
//    |
// 25 | kernel int x;
//    |            ^
//    |
// help: declare it '__constant' with an initializer, or pass it as a kernel argument
//
// error: kernel cannot be called 'main'
//   --> test.cl:26:13
//    |
// 26 | kernel void main(int n) {}
//    |             ^^^^
//
// error: redefinition of 'one'
//   --> test.cl:29:13
//    |
// 29 | kernel void one(int n) {}
//    |             ^^^
//    |
// note: previous definition is here
//   --> test.cl:28:13
//    |
// 28 | kernel void one(int n) {}
//    |             ---
//
// error: conflicting types for 'two'
//   --> test.cl:31:13
//    |
// 31 | kernel void two(int n) {}
//    |             ^^^
//    |
// note: previous declaration is here
//   --> test.cl:30:5
//    |
// 30 | int two(int n);
//    |     ---
//
// error: argument may not have 'void' type
//   --> test.cl:34:18
//    |
// 34 | kernel void four(void v) {}
//    |                  ^^^^^^
//
// error: redefinition of parameter 'n'
//   --> test.cl:35:29
//    |
// 35 | kernel void five(int n, int n) {}
//    |                             ^
//    |
// note: previous declaration is here
//   --> test.cl:35:22
//    |
// 35 | kernel void five(int n, int n) {}
//    |                      -
//
// warning: duplicate access qualifier [-Wduplicate-decl-specifier]
//   --> test.cl:37:29
//    |
// 37 | kernel void seven(read_only read_only image2d_t i) {}
//    |                             ^^^^^^^^^
//
// error: access qualifier can only be used for pipe and image type
//   --> test.cl:38:19
//    |
// 38 | kernel void eight(read_only int i) {}
//    |                   ^^^^^^^^^
//
// error: variable has incomplete type 'struct Unknown'
//   --> test.cl:39:33
//    |
// 39 | kernel void nine(struct Unknown u) {}
//    |                                 ^
//    |
// note: forward declaration of 'struct Unknown'
//   --> test.cl:39:25
//    |
// 39 | kernel void nine(struct Unknown u) {}
//    |                         -------
