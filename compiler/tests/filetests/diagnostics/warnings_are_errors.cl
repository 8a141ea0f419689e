// -Werror: warnings are errors.
// options: -Werror
// clang: not asked, since it is not given -Werror
kernel void k(global int *out, int a) {
  a == 1; // error: equality comparison result unused
  char c = 300; // error: implicit conversion from 'int' to 'char' changes value from 300 to 44
  out[0] = c;
}
// ---
// error: equality comparison result unused [-Werror,-Wunused-comparison]
//  --> test.cl:5:5
//   |
// 5 |   a == 1;
//   |     ^^
//   |
// help: use '=' to turn this equality comparison into an assignment
//
// error: implicit conversion from 'int' to 'char' changes value from 300 to 44 [-Werror,-Wconstant-conversion]
//  --> test.cl:6:12
//   |
// 6 |   char c = 300;
//   |            ^^^
