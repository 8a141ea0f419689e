// A comment without its end (C99 6.4.9).
kernel void k(global int *out) { out[0] = 1; }
/* no end // error: unterminated /* comment
// ---
// error: unterminated /* comment
//  --> test.cl:3:1
//   |
// 3 | /* no end
//   | ^^
