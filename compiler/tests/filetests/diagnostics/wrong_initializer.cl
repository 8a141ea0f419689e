// options: -Wall
// A variable whose initializer is wrong has one error, and no warning where it is used.
kernel void k(global int *a) {
  int i = nothing; // error: use of undeclared identifier 'nothing'
  a[i] = 1;
}
