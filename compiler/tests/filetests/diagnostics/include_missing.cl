// An included file that is not there (C99 6.10.2).
#include "missing.h" // error: 'missing.h' file not found
kernel void k(global int *out) { out[0] = 1; }
// ---
// error: 'missing.h' file not found
//  --> test.cl:2:10
//   |
// 2 | #include "missing.h"
//   |          ^^^^^^^^^^^
