// Without kernels, too, no function calls itself (6.9.i).
int factorial(int n) { return n > 1 ? n * factorial(n - 1) : 1; } // error: recursion is not allowed in OpenCL: 'factorial' calls itself // clang: accepts, and leaves it to later stages
// ---
// error: recursion is not allowed in OpenCL: 'factorial' calls itself
//  --> test.cl:2:5
//   |
// 2 | int factorial(int n) { return n > 1 ? n * factorial(n - 1) : 1; }
//   |     ^^^^^^^^^
//   |
// help: the calls are 'factorial' -> 'factorial'
