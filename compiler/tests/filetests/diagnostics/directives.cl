// Preprocessing directives (C99 6.10).
#error stop here // error: stop here
#warning careful // warning: careful
#nonsense // error: invalid preprocessing directive '#nonsense'
#define TWICE(a) a a
#define // error: macro name missing
#define 3 // error: macro name must be an identifier
#define defined // error: 'defined' cannot be used as a macro name
#undef // error: macro name missing
#if 1 + // error: expected value in expression
#endif
#if 1 / 0 // error: division by zero in preprocessor expression
#endif
#if UNKNOWN(3) // error: function-like macro 'UNKNOWN' is not defined
#endif
#else // error: #else without #if
#endif // error: #endif without #if
#elif 1 // error: #elif without #if
#define SAME 1
#define SAME 2 // warning: 'SAME' macro redefined
#define STRING(a) #b // error: '#' is not followed by a macro parameter
#define PASTE(a) a ## // error: '##' cannot appear at end of macro expansion
#line 0x3 // error: #line directive requires a positive integer argument
kernel void k(global int *out) { out[0] = 1; }
// ---
// error: stop here
//  --> test.cl:2:2
//   |
// 2 | #error stop here
//   |  ^^^^^
//
// warning: careful [-W#warnings]
//  --> test.cl:3:2
//   |
// 3 | #warning careful
//   |  ^^^^^^^
//
// error: invalid preprocessing directive '#nonsense'
//  --> test.cl:4:2
//   |
// 4 | #nonsense
//   |  ^^^^^^^^
//
// error: macro name missing
//  --> test.cl:6:8
//   |
// 6 | #define
//   |        ^
//
// error: macro name must be an identifier
//  --> test.cl:7:9
//   |
// 7 | #define 3
//   |         ^
//
// error: 'defined' cannot be used as a macro name
//  --> test.cl:8:9
//   |
// 8 | #define defined
//   |         ^^^^^^^
//
// error: macro name missing
//  --> test.cl:9:7
//   |
// 9 | #undef
//   |       ^
//
// error: expected value in expression
//   --> test.cl:10:7
//    |
// 10 | #if 1 +
//    |       ^
//
// error: division by zero in preprocessor expression
//   --> test.cl:12:7
//    |
// 12 | #if 1 / 0
//    |       ^
//
// error: function-like macro 'UNKNOWN' is not defined
//   --> test.cl:14:12
//    |
// 14 | #if UNKNOWN(3)
//    |            ^
//
// error: #else without #if
//   --> test.cl:16:2
//    |
// 16 | #else
//    |  ^^^^
//
// error: #endif without #if
//   --> test.cl:17:2
//    |
// 17 | #endif
//    |  ^^^^^
//
// error: #elif without #if
//   --> test.cl:18:2
//    |
// 18 | #elif 1
//    |  ^^^^
//
// warning: 'SAME' macro redefined [-Wmacro-redefined]
//   --> test.cl:20:9
//    |
// 20 | #define SAME 2
//    |         ^^^^
//    |
// note: previous definition is here
//   --> test.cl:19:9
//    |
// 19 | #define SAME 1
//    |         ----
//
// error: '#' is not followed by a macro parameter
//   --> test.cl:21:19
//    |
// 21 | #define STRING(a) #b
//    |                   ^
//
// error: '##' cannot appear at end of macro expansion
//   --> test.cl:22:20
//    |
// 22 | #define PASTE(a) a ##
//    |                    ^^
//
// error: #line directive requires a positive integer argument
//   --> test.cl:23:7
//    |
// 23 | #line 0x3
//    |       ^^^
