// Statements (C99 6.8).
struct S { int a; };
void gives(void) { return 1; } // error: void function 'gives' should not return a value
int gives_not(void) { return; } // error: non-void function 'gives_not' should return a value
kernel void k(global int *out, int n, float f, float4 v, struct S s) {
  if (v) n = 1; // error: statement requires expression of scalar type ('float4' (vector of 4 'float' values) invalid)
  while (s) n = 1; // error: statement requires expression of scalar type ('struct S' invalid)
  do n++; while (s); // error: statement requires expression of scalar type ('struct S' invalid)
  for (; v;) n++; // error: statement requires expression of scalar type ('float4' (vector of 4 'float' values) invalid)
  break; // error: 'break' statement not in loop or switch statement
  continue; // error: 'continue' statement not in loop statement
  switch (n) { case 0: continue; } // error: 'continue' statement not in loop statement
  goto nowhere; // error: use of undeclared label 'nowhere'
  case 1: n = 1; // error: 'case' statement not in switch statement
  default: n = 1; // error: 'default' statement not in switch statement
  switch (f) { } // error: statement requires expression of integer type ('float' invalid)
  switch (v) { case 0: n = 1; } // error: statement requires expression of integer type ('float4' (vector of 4 'float' values) invalid)
  switch (n) {
    case 1: n = 2; break;
    case 1: n = 3; break; // error: duplicate case value '1'
    case 5 ... 7: n = 3; break; // clang: rejects, this case instead of the other
    case 6: n = 3; break; // error: duplicate case value '6' // clang: accepts, and blames the range
    case 9 ... 8: n = 3; break; // warning: empty case range specified
    default: n = 3; break; // clang: rejects, this one instead of the second
    default: n = 4; // error: multiple default labels in one switch // clang: accepts, and blames the first
  }
  switch (n) { case n: n = 1; } // error: expression is not an integer constant expression
  switch (n) { case 1.5f: n = 1; } // error: integer constant expression must have integer type, not 'float'
  again: n = 3;
  again: n = 4; // error: redefinition of label 'again'
  out[0] = n;
}
// ---
// error: void function 'gives' should not return a value
//  --> test.cl:3:20
//   |
// 3 | void gives(void) { return 1; }
//   |                    ^^^^^^^^^
//
// error: non-void function 'gives_not' should return a value
//  --> test.cl:4:23
//   |
// 4 | int gives_not(void) { return; }
//   |                       ^^^^^^^
//
// error: statement requires expression of scalar type ('float4' (vector of 4 'float' values) invalid)
//  --> test.cl:6:7
//   |
// 6 |   if (v) n = 1;
//   |       ^
//
// error: statement requires expression of scalar type ('struct S' invalid)
//  --> test.cl:7:10
//   |
// 7 |   while (s) n = 1;
//   |          ^
//
// error: statement requires expression of scalar type ('struct S' invalid)
//  --> test.cl:8:18
//   |
// 8 |   do n++; while (s);
//   |                  ^
//
// error: statement requires expression of scalar type ('float4' (vector of 4 'float' values) invalid)
//  --> test.cl:9:10
//   |
// 9 |   for (; v;) n++;
//   |          ^
//
// error: 'break' statement not in loop or switch statement
//   --> test.cl:10:3
//    |
// 10 |   break;
//    |   ^^^^^^
//
// error: 'continue' statement not in loop statement
//   --> test.cl:11:3
//    |
// 11 |   continue;
//    |   ^^^^^^^^^
//
// error: 'continue' statement not in loop statement
//   --> test.cl:12:24
//    |
// 12 |   switch (n) { case 0: continue; }
//    |                        ^^^^^^^^^
//
// error: 'case' statement not in switch statement
//   --> test.cl:14:3
//    |
// 14 |   case 1: n = 1;
//    |   ^^^^^^^^^^^^^^
//
// error: 'default' statement not in switch statement
//   --> test.cl:15:3
//    |
// 15 |   default: n = 1;
//    |   ^^^^^^^
//
// error: statement requires expression of integer type ('float' invalid)
//   --> test.cl:16:11
//    |
// 16 |   switch (f) { }
//    |           ^
//
// error: statement requires expression of integer type ('float4' (vector of 4 'float' values) invalid)
//   --> test.cl:17:11
//    |
// 17 |   switch (v) { case 0: n = 1; }
//    |           ^
//
// error: duplicate case value '1'
//   --> test.cl:20:10
//    |
// 20 |     case 1: n = 3; break;
//    |          ^
//    |
// note: previous case defined here
//   --> test.cl:19:10
//    |
// 19 |     case 1: n = 2; break;
//    |          -
//
// error: duplicate case value '6'
//   --> test.cl:22:10
//    |
// 22 |     case 6: n = 3; break;
//    |          ^
//    |
// note: previous case defined here
//   --> test.cl:21:10
//    |
// 21 |     case 5 ... 7: n = 3; break;
//    |          -------
//
// warning: empty case range specified [-Wempty-case-range]
//   --> test.cl:23:5
//    |
// 23 |     case 9 ... 8: n = 3; break;
//    |     ^^^^^^^^^^^^^^^^^^^^
//
// error: multiple default labels in one switch
//   --> test.cl:25:5
//    |
// 25 |     default: n = 4;
//    |     ^^^^^^^
//    |
// note: previous case defined here
//   --> test.cl:24:5
//    |
// 24 |     default: n = 3; break;
//    |     -------
//
// error: expression is not an integer constant expression
//   --> test.cl:27:21
//    |
// 27 |   switch (n) { case n: n = 1; }
//    |                     ^
//
// error: integer constant expression must have integer type, not 'float'
//   --> test.cl:28:21
//    |
// 28 |   switch (n) { case 1.5f: n = 1; }
//    |                     ^^^^
//
// error: redefinition of label 'again'
//   --> test.cl:30:3
//    |
// 30 |   again: n = 4;
//    |   ^^^^^
//    |
// note: previous definition is here
//   --> test.cl:29:3
//    |
// 29 |   again: n = 3;
//    |   -----
//
// error: use of undeclared label 'nowhere'
//   --> test.cl:13:8
//    |
// 13 |   goto nowhere;
//    |        ^^^^^^^
