// Constants that their new types cannot hold.
char returned(void) { return 300; } // warning: implicit conversion from 'int' to 'char' changes value from 300 to 44
int taken(uchar u) { return u; }
constant uchar table[2] = { 1, 256 }; // warning: implicit conversion from 'int' to 'unsigned char' changes value from 256 to 0
kernel void k(global int *out, global float *f) {
  char a = 300; // warning: implicit conversion from 'int' to 'char' changes value from 300 to 44
  char b = 128; // warning: implicit conversion from 'int' to 'char' changes value from 128 to -128
  char c = 0x80;
  uchar d = -1;
  uchar e = -300; // warning: implicit conversion from 'int' to 'unsigned char' changes value from -300 to 212
  ushort g = 65536; // warning: implicit conversion from 'int' to 'unsigned short' changes value from 65536 to 0
  short h = 70000 - 1; // warning: implicit conversion from 'int' to 'short' changes value from 69999 to 4463
  int i = 1.5f; // warning: implicit conversion from 'float' to 'int' changes value from 1.5 to 1
  int j = 2.0;
  int l = -1e10; // warning: implicit conversion of out of range value from 'double' to 'int' is undefined
  int m = 1.5f * 3;
  float n = 16777217; // warning: implicit conversion from 'int' to 'float' changes value from 16777217 to 16777216
  float o = 16777216;
  uint p = -1;
  int q = 4294967295; // warning: implicit conversion from 'long' to 'int' changes value from 4294967295 to -1
  out[0] = taken(256); // warning: implicit conversion from 'int' to 'unsigned char' changes value from 256 to 0
  out[1] = (char)300;
  a = 1000; // warning: implicit conversion from 'int' to 'char' changes value from 1000 to -24
  f[0] = 0x1000001; // warning: implicit conversion from 'int' to 'float' changes value from 16777217 to 16777216
  out[2] = a + b + c + d + e + g + h + i + j + l + m + n + o + p + q + returned() + table[0];
}
// ---
// warning: implicit conversion from 'int' to 'char' changes value from 300 to 44 [-Wconstant-conversion]
//  --> test.cl:2:30
//   |
// 2 | char returned(void) { return 300; }
//   |                              ^^^
//
// warning: implicit conversion from 'int' to 'unsigned char' changes value from 256 to 0 [-Wconstant-conversion]
//  --> test.cl:4:32
//   |
// 4 | constant uchar table[2] = { 1, 256 };
//   |                                ^^^
//
// warning: implicit conversion from 'int' to 'char' changes value from 300 to 44 [-Wconstant-conversion]
//  --> test.cl:6:12
//   |
// 6 |   char a = 300;
//   |            ^^^
//
// warning: implicit conversion from 'int' to 'char' changes value from 128 to -128 [-Wconstant-conversion]
//  --> test.cl:7:12
//   |
// 7 |   char b = 128;
//   |            ^^^
//
// warning: implicit conversion from 'int' to 'unsigned char' changes value from -300 to 212 [-Wconstant-conversion]
//   --> test.cl:10:13
//    |
// 10 |   uchar e = -300;
//    |             ^^^^
//
// warning: implicit conversion from 'int' to 'unsigned short' changes value from 65536 to 0 [-Wconstant-conversion]
//   --> test.cl:11:14
//    |
// 11 |   ushort g = 65536;
//    |              ^^^^^
//
// warning: implicit conversion from 'int' to 'short' changes value from 69999 to 4463 [-Wconstant-conversion]
//   --> test.cl:12:13
//    |
// 12 |   short h = 70000 - 1;
//    |             ^^^^^^^^^
//
// warning: implicit conversion from 'float' to 'int' changes value from 1.5 to 1 [-Wliteral-conversion]
//   --> test.cl:13:11
//    |
// 13 |   int i = 1.5f;
//    |           ^^^^
//
// warning: implicit conversion of out of range value from 'double' to 'int' is undefined [-Wliteral-conversion]
//   --> test.cl:15:11
//    |
// 15 |   int l = -1e10;
//    |           ^^^^^
//
// warning: implicit conversion from 'int' to 'float' changes value from 16777217 to 16777216 [-Wimplicit-const-int-float-conversion]
//   --> test.cl:17:13
//    |
// 17 |   float n = 16777217;
//    |             ^^^^^^^^
//
// warning: implicit conversion from 'long' to 'int' changes value from 4294967295 to -1 [-Wconstant-conversion]
//   --> test.cl:20:11
//    |
// 20 |   int q = 4294967295;
//    |           ^^^^^^^^^^
//
// warning: implicit conversion from 'int' to 'unsigned char' changes value from 256 to 0 [-Wconstant-conversion]
//   --> test.cl:21:18
//    |
// 21 |   out[0] = taken(256);
//    |                  ^^^
//
// warning: implicit conversion from 'int' to 'char' changes value from 1000 to -24 [-Wconstant-conversion]
//   --> test.cl:23:7
//    |
// 23 |   a = 1000;
//    |       ^^^^
//
// warning: implicit conversion from 'int' to 'float' changes value from 16777217 to 16777216 [-Wimplicit-const-int-float-conversion]
//   --> test.cl:24:10
//    |
// 24 |   f[0] = 0x1000001;
//    |          ^^^^^^^^^
