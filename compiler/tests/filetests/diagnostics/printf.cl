// options: -cl-std=CL2.0
// Calls of printf; the warnings are those of clang's -Wformat, the errors what cannot be printed.

constant char known[] = "%d\n";
constant char *constant pointer = "%d %s\n";
struct record { int a; };

void good(int i, uint u, long l, ulong ul, float f, double d, half *h, char c, global int *p, float4 f4, bool b)
{
    printf("plain\n");
    printf("");
    printf(known, i);
    printf(pointer, i, "text");
    printf("%d %i %u %x %o %c %hhd %hd", i, u, u, i, i, c, c, (short)i);
    printf("%ld %lu %lx", l, ul, l);
    printf("%f %e %g %a %lf", f, d, f, d, f);
    printf("%p %s %5.3s %%", p, "a", "b" "c");
    printf("%v4hlf %v2hhd %v8hu %v16ld", f4, (char2)(1), (ushort8)(2), (long16)(3));
    printf("%d %d", c, b);
    int result = printf("%d", (enum { A })0);
}

void bad(int i, long l, float f, global int *p, float4 f4, int4 i4, struct record r, constant char *s, int which)
{
    printf("%d", f);          // warning: format specifies type 'int' but the argument has type 'float'
    printf("%f", i);          // warning: format specifies type 'double' but the argument has type 'int'
    printf("%d", l);          // warning: format specifies type 'int' but the argument has type 'long'
    printf("%ld", i);         // warning: format specifies type 'long' but the argument has type 'int'
    printf("%hhd", i);        // warning: format specifies type 'char' but the argument has type 'int'
    printf("%p", i);          // warning: format specifies type 'void *' but the argument has type 'int'
    printf("%d", p);          // warning: format specifies type 'int' but the argument has type '__global int *'
    printf("%v4hld", f4);     // warning: format specifies type 'int4' but the argument has type 'float4' (vector of 4 'float' values)
    printf("%v2hld", i4);     // warning: format specifies type 'int2' but the argument has type 'int4' (vector of 4 'int' values)
    printf("%v4f", f4);       // warning: format specifies type 'double4' but the argument has type 'float4' (vector of 4 'float' values)
    printf("%d %d", i);       // warning: more '%' conversions than data arguments
    printf("%d", i, i);       // warning: data argument not used by format string
    printf("%y");             // warning: invalid conversion specifier 'y'
    printf("%");              // warning: incomplete format specifier
    printf("%v5d", i);        // warning: a vector specifier of 'printf' is 'v2', 'v3', 'v4', 'v8' or 'v16' // warning: data argument not used by format string
    printf("%lld", l);        // warning: length modifiers 'll' and 'j' are not in OpenCL C; use 'l'
    printf("%*d", i, i);      // error: field width and precision of 'printf' cannot be '*' in OpenCL // warning: data argument not used by format string // clang: accepts what 6.15.14 of OpenCL C does not have
    printf("%n", p);          // error: '%n' specifier not supported in OpenCL // warning: data argument not used by format string // clang: accepts what 6.15.14 of OpenCL C does not have
    printf("%5000d", i);      // error: field width or precision of 'printf' is above 4095 // warning: data argument not used by format string // clang: accepts what 6.15.14 of OpenCL C does not have
    printf(s, i);
    printf(which ? "%d" : s, i);
    printf("%s", s);
    printf("%s", i);          // error: the argument of '%s' is not a string // clang: accepts what 6.15.14 of OpenCL C does not have
    printf("%s", p);          // error: the argument of '%s' is not a string // clang: accepts what 6.15.14 of OpenCL C does not have
    printf("%d", r);          // warning: format specifies type 'int' but the argument has type 'struct record' // error: cannot pass object of type 'struct record' to a variadic function // clang: accepts what 6.15.14 of OpenCL C does not have
}
// ---
// warning: format specifies type 'int' but the argument has type 'float' [-Wformat]
//   --> test.cl:25:18
//    |
// 25 |     printf("%d", f);
//    |                  ^
//
// warning: format specifies type 'double' but the argument has type 'int' [-Wformat]
//   --> test.cl:26:18
//    |
// 26 |     printf("%f", i);
//    |                  ^
//
// warning: format specifies type 'int' but the argument has type 'long' [-Wformat]
//   --> test.cl:27:18
//    |
// 27 |     printf("%d", l);
//    |                  ^
//
// warning: format specifies type 'long' but the argument has type 'int' [-Wformat]
//   --> test.cl:28:19
//    |
// 28 |     printf("%ld", i);
//    |                   ^
//
// warning: format specifies type 'char' but the argument has type 'int' [-Wformat]
//   --> test.cl:29:20
//    |
// 29 |     printf("%hhd", i);
//    |                    ^
//
// warning: format specifies type 'void *' but the argument has type 'int' [-Wformat]
//   --> test.cl:30:18
//    |
// 30 |     printf("%p", i);
//    |                  ^
//
// warning: format specifies type 'int' but the argument has type '__global int *' [-Wformat]
//   --> test.cl:31:18
//    |
// 31 |     printf("%d", p);
//    |                  ^
//
// warning: format specifies type 'int4' but the argument has type 'float4' (vector of 4 'float' values) [-Wformat]
//   --> test.cl:32:22
//    |
// 32 |     printf("%v4hld", f4);
//    |                      ^^
//
// warning: format specifies type 'int2' but the argument has type 'int4' (vector of 4 'int' values) [-Wformat]
//   --> test.cl:33:22
//    |
// 33 |     printf("%v2hld", i4);
//    |                      ^^
//
// warning: format specifies type 'double4' but the argument has type 'float4' (vector of 4 'float' values) [-Wformat]
//   --> test.cl:34:20
//    |
// 34 |     printf("%v4f", f4);
//    |                    ^^
//
// warning: more '%' conversions than data arguments [-Wformat-insufficient-args]
//   --> test.cl:35:12
//    |
// 35 |     printf("%d %d", i);
//    |            ^^^^^^^
//
// warning: data argument not used by format string [-Wformat-extra-args]
//   --> test.cl:36:21
//    |
// 36 |     printf("%d", i, i);
//    |                     ^
//
// warning: invalid conversion specifier 'y' [-Wformat-invalid-specifier]
//   --> test.cl:37:12
//    |
// 37 |     printf("%y");
//    |            ^^^^
//
// warning: incomplete format specifier [-Wformat]
//   --> test.cl:38:12
//    |
// 38 |     printf("%");
//    |            ^^^
//
// warning: a vector specifier of 'printf' is 'v2', 'v3', 'v4', 'v8' or 'v16' [-Wformat]
//   --> test.cl:39:12
//    |
// 39 |     printf("%v5d", i);
//    |            ^^^^^^
//
// warning: data argument not used by format string [-Wformat-extra-args]
//   --> test.cl:39:20
//    |
// 39 |     printf("%v5d", i);
//    |                    ^
//
// warning: length modifiers 'll' and 'j' are not in OpenCL C; use 'l' [-Wformat]
//   --> test.cl:40:12
//    |
// 40 |     printf("%lld", l);
//    |            ^^^^^^
//
// error: field width and precision of 'printf' cannot be '*' in OpenCL
//   --> test.cl:41:12
//    |
// 41 |     printf("%*d", i, i);
//    |            ^^^^^
//
// warning: data argument not used by format string [-Wformat-extra-args]
//   --> test.cl:41:19
//    |
// 41 |     printf("%*d", i, i);
//    |                   ^
//
// error: '%n' specifier not supported in OpenCL
//   --> test.cl:42:12
//    |
// 42 |     printf("%n", p);
//    |            ^^^^
//
// warning: data argument not used by format string [-Wformat-extra-args]
//   --> test.cl:42:18
//    |
// 42 |     printf("%n", p);
//    |                  ^
//
// error: field width or precision of 'printf' is above 4095
//   --> test.cl:43:12
//    |
// 43 |     printf("%5000d", i);
//    |            ^^^^^^^^
//
// warning: data argument not used by format string [-Wformat-extra-args]
//   --> test.cl:43:22
//    |
// 43 |     printf("%5000d", i);
//    |                      ^
//
// error: the argument of '%s' is not a string
//   --> test.cl:47:18
//    |
// 47 |     printf("%s", i);
//    |                  ^
//
// error: the argument of '%s' is not a string
//   --> test.cl:48:18
//    |
// 48 |     printf("%s", p);
//    |                  ^
//
// warning: format specifies type 'int' but the argument has type 'struct record' [-Wformat]
//   --> test.cl:49:18
//    |
// 49 |     printf("%d", r);
//    |                  ^
//
// error: cannot pass object of type 'struct record' to a variadic function
//   --> test.cl:49:18
//    |
// 49 |     printf("%d", r);
//    |                  ^
