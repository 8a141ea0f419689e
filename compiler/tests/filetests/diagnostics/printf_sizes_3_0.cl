// options: -cl-std=CL3.0
// The length modifiers 'z' and 't' before OpenCL C 3.1. They are printed nevertheless.

void early(size_t s, ptrdiff_t t)
{
    printf("%zu", s);         // warning: length modifiers 'z' and 't' need OpenCL C 3.1; use 'l'
    printf("%td", t);         // warning: length modifiers 'z' and 't' need OpenCL C 3.1; use 'l'
}
// ---
// warning: length modifiers 'z' and 't' need OpenCL C 3.1; use 'l' [-Wformat]
//  --> test.cl:6:12
//   |
// 6 |     printf("%zu", s);
//   |            ^^^^^
//
// warning: length modifiers 'z' and 't' need OpenCL C 3.1; use 'l' [-Wformat]
//  --> test.cl:7:12
//   |
// 7 |     printf("%td", t);
//   |            ^^^^^
