// Constants (C99 6.4.4).
kernel void k(global int *out, global float *f) {
  out[0] = 09; // error: invalid digit '9' in octal constant
  out[1] = 1.5z; // error: invalid suffix 'z' on floating constant
  out[2] = 0x; // error: invalid suffix 'x' on integer constant
  out[3] = ''; // error: empty character constant
  out[4] = 'ab'; // warning: multi-character character constant
  out[5] = 99999999999999999999; // error: integer literal is too large to be represented in any integer type // clang: accepts and takes the low bits
  out[6] = 1llu;
  out[7] = 1lul; // error: invalid suffix 'lul' on integer constant
  f[0] = 1e; // error: exponent has no digits
  f[1] = 0x1.8; // error: hexadecimal floating constant requires an exponent
  f[2] = 1.0ff; // error: invalid suffix 'ff' on floating constant
  out[8] = '\q'; // warning: unknown escape sequence '\q'
  out[9] = '\400'; // error: octal escape sequence out of range
  out[10] = "abc\xfff"[0]; // error: hex escape sequence out of range
}
// ---
// error: invalid digit '9' in octal constant
//  --> test.cl:3:13
//   |
// 3 |   out[0] = 09;
//   |             ^
//
// error: invalid suffix 'z' on floating constant
//  --> test.cl:4:15
//   |
// 4 |   out[1] = 1.5z;
//   |               ^
//
// error: invalid suffix 'x' on integer constant
//  --> test.cl:5:13
//   |
// 5 |   out[2] = 0x;
//   |             ^
//
// error: empty character constant
//  --> test.cl:6:12
//   |
// 6 |   out[3] = '';
//   |            ^^
//
// warning: multi-character character constant [-Wmultichar]
//  --> test.cl:7:12
//   |
// 7 |   out[4] = 'ab';
//   |            ^^^^
//
// error: integer literal is too large to be represented in any integer type
//  --> test.cl:8:12
//   |
// 8 |   out[5] = 99999999999999999999;
//   |            ^^^^^^^^^^^^^^^^^^^^
//
// error: invalid suffix 'lul' on integer constant
//   --> test.cl:10:13
//    |
// 10 |   out[7] = 1lul;
//    |             ^^^
//
// error: exponent has no digits
//   --> test.cl:11:11
//    |
// 11 |   f[0] = 1e;
//    |           ^
//
// error: hexadecimal floating constant requires an exponent
//   --> test.cl:12:15
//    |
// 12 |   f[1] = 0x1.8;
//    |               ^
//
// error: invalid suffix 'ff' on floating constant
//   --> test.cl:13:13
//    |
// 13 |   f[2] = 1.0ff;
//    |             ^^
//
// warning: unknown escape sequence '\q' [-Wunknown-escape-sequence]
//   --> test.cl:14:13
//    |
// 14 |   out[8] = '\q';
//    |             ^^^
//
// error: octal escape sequence out of range
//   --> test.cl:15:13
//    |
// 15 |   out[9] = '\400';
//    |             ^^^^^
//
// error: hex escape sequence out of range
//   --> test.cl:16:17
//    |
// 16 |   out[10] = "abc\xfff"[0];
//    |                 ^^^^^^
