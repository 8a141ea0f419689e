// Recursion (6.12.i), also through other functions.
int self(int n) { return n ? self(n - 1) : 0; } // error: recursion is not allowed in OpenCL: 'self' calls itself // clang: accepts, it does not look at the call graph
int odd(int n);
int even(int n) { return n ? odd(n - 1) : 1; } // error: recursion is not allowed in OpenCL: 'even' calls itself // clang: accepts, as above
int odd(int n) { return n ? even(n - 1) : 0; }
kernel void k(global int *out) { out[0] = self(1) + even(2); }
// ---
// error: recursion is not allowed in OpenCL: 'self' calls itself
//  --> test.cl:2:5
//   |
// 2 | int self(int n) { return n ? self(n - 1) : 0; }
//   |     ^^^^
//   |
// help: the calls are 'self' -> 'self'
//
// error: recursion is not allowed in OpenCL: 'even' calls itself
//  --> test.cl:4:5
//   |
// 4 | int even(int n) { return n ? odd(n - 1) : 1; }
//   |     ^^^^
//   |
// help: the calls are 'even' -> 'odd' -> 'even'
