// Modules for OpenCL are linked, but an entry point cannot be imported: also where no kernel reaches the call.
// target: opencl3.0
int elsewhere(int n);
kernel void missing(global int *a); // error: function 'missing' is called but has no definition // clang: accepts, and leaves it to the linker
void exported(global int *a) { missing(a); *a = elsewhere(*a); }
kernel void k(global int *a) { *a = elsewhere(2); }
// ---
// error: function 'missing' is called but has no definition
//  --> test.cl:4:13
//   |
// 4 | kernel void missing(global int *a);
//   |             ^^^^^^^
//   |
// note: 'missing' is called here
//  --> test.cl:5:32
//   |
// 5 | void exported(global int *a) { missing(a); *a = elsewhere(*a); }
//   |                                ----------
// help: a kernel of another module cannot be called; call a function without 'kernel'
