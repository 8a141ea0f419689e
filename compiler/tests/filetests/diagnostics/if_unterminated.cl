// A conditional without its end (C99 6.10.1).
kernel void k(global int *out) { out[0] = 1; }
#if 1 // error: unterminated conditional directive
// ---
// error: unterminated conditional directive
//  --> test.cl:3:2
//   |
// 3 | #if 1
//   |  ^^
//   |
// help: add the missing '#endif'
