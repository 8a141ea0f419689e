// Formats that are not known when the program is compiled: a module for Vulkan names all formats. What comes through
// functions and variables is known.

void print(constant char *format, int i)
{
    printf(format, i); // error: format string is not a string literal // clang: accepts what 6.15.14 of OpenCL C does not have
}

kernel void k(global int *p)
{
    constant char *known = "%d\n";
    printf(known, 1);
    print("%d %d\n", 1);
    constant char *chosen[2] = {"%d\n", "%x\n"};
    print(chosen[p[0] & 1], 1);
}
// ---
// error: format string is not a string literal
//  --> test.cl:6:5
//   |
// 6 |     printf(format, i);
//   |     ^^^^^^^^^^^^^^^^^
