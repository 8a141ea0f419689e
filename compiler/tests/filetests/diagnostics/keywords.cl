// Keywords name nothing else (6.3.9).
// options: -cl-std=CL3.0
int global; // warning: declaration does not declare anything
kernel void k(global int *out) {
  int kernel = 1; // error: expected identifier or '('
  int read_only = 1; // error: expected identifier or '('
  int __write_only = 1; // error: expected identifier or '('
  int uniform = 1;
  int local = 1; // error: expected identifier or '('
  int restrict = 1; // error: expected identifier or '('
  int while = 1; // error: expected identifier or '('
  int inline = 1; // error: expected identifier or '('
  int constant = 1; // error: expected identifier or '('
  int __generic = 1; // error: expected identifier or '('
  int half = 1; // error: expected identifier or '('
}
int private(int a) { return a; } // error: expected identifier or '('
// ---
// error: expected identifier or '('
//  --> test.cl:5:14
//   |
// 5 |   int kernel = 1;
//   |              ^
//
// error: expected identifier or '('
//  --> test.cl:6:17
//   |
// 6 |   int read_only = 1;
//   |                 ^
//
// error: expected identifier or '('
//  --> test.cl:7:20
//   |
// 7 |   int __write_only = 1;
//   |                    ^
//
// error: expected identifier or '('
//  --> test.cl:9:13
//   |
// 9 |   int local = 1;
//   |             ^
//
// error: expected identifier or '('
//   --> test.cl:10:16
//    |
// 10 |   int restrict = 1;
//    |                ^
//
// error: expected identifier or '('
//   --> test.cl:11:7
//    |
// 11 |   int while = 1;
//    |       ^^^^^
//
// error: expected identifier or '('
//   --> test.cl:12:14
//    |
// 12 |   int inline = 1;
//    |              ^
//
// error: expected identifier or '('
//   --> test.cl:13:16
//    |
// 13 |   int constant = 1;
//    |                ^
//
// error: expected identifier or '('
//   --> test.cl:14:17
//    |
// 14 |   int __generic = 1;
//    |                 ^
//
// error: expected identifier or '('
//   --> test.cl:15:12
//    |
// 15 |   int half = 1;
//    |            ^
//
// error: expected identifier or '('
//   --> test.cl:17:13
//    |
// 17 | int private(int a) { return a; }
//    |             ^^^
//
// warning: declaration does not declare anything [-Wmissing-declarations]
//  --> test.cl:3:1
//   |
// 3 | int global;
//   | ^^^^^^^^^^^
