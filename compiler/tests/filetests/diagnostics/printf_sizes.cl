// options: -cl-std=CL3.1
// clang: not asked, since clang 15 does not know OpenCL C 3.1
// The length modifiers 'z' and 't' (6.15.14 of OpenCL C 3.1).

void good(size_t s, ptrdiff_t t, long l)
{
    printf("%zu %zd %zx %zo %tX %td %ti", s, t, s, s, s, t, l);
}

void bad(int i, long l, float f, long2 l2)
{
    printf("%zu", i);         // warning: format specifies type 'unsigned long' but the argument has type 'int'
    printf("%td", f);         // warning: format specifies type 'long' but the argument has type 'float'
    printf("%v2zd", l2);      // warning: length modifiers 'z' and 't' are not for vectors; use 'l'
    printf("%jd", l);         // warning: length modifiers 'll' and 'j' are not in OpenCL C; use 'l'
}
// ---
// warning: format specifies type 'unsigned long' but the argument has type 'int' [-Wformat]
//   --> test.cl:12:19
//    |
// 12 |     printf("%zu", i);
//    |                   ^
//
// warning: format specifies type 'long' but the argument has type 'float' [-Wformat]
//   --> test.cl:13:19
//    |
// 13 |     printf("%td", f);
//    |                   ^
//
// warning: length modifiers 'z' and 't' are not for vectors; use 'l' [-Wformat]
//   --> test.cl:14:12
//    |
// 14 |     printf("%v2zd", l2);
//    |            ^^^^^^^
//
// warning: length modifiers 'll' and 'j' are not in OpenCL C; use 'l' [-Wformat]
//   --> test.cl:15:12
//    |
// 15 |     printf("%jd", l);
//    |            ^^^^^
