// Every conversion, flag and length modifier (OpenCL C 6.15.15), in one work-item so that the lines have an order.
// RUN: kernel=integers global=1
// ARG: int=-42
// ARG: uint=48879
// RUN: kernel=lengths global=1
// ARG: long=-1099511627776
// ARG: ulong=18446744073709551615
// RUN: kernel=floats global=1
// ARG: float=2.5
// ARG: float=-1234567.0
// RUN: kernel=text global=1
// ARG: int=65
// PRINTS: [-42] [   -42] [-42   ] [-00042]
// PRINTS: [+42] [ 42] [00042] [  042] [beef] [0XBEEF] [137357] [0137357] [48879]
// PRINTS: -1099511627776 18446744073709551615 ffffffffffffffff
// PRINTS: -1 255 -1 65535
// PRINTS: 2.500000 2.5 3e+00 2.50e+00 -1.23457e+06 -1234567
// PRINTS: [  2.50] [2.50  ] [002.50] [+2.5] [ 2.5]
// PRINTS: 0x1.4p+1 2.5000 -1.234567E+06 -1.23457E+06
// PRINTS: A [  A] [A  ] plain [  padded] [left  ] [cut] 100%
// PRINTS: inf -inf INF nan

kernel void integers(int a, uint b)
{
    printf("[%d] [%6d] [%-6i] [%06d]\n", a, a, a, a);
    printf("[%+d] [% d] [%05d] [%5.3d] [%x] [%#X] [%o] [%#o] [%u]\n", -a, -a, -a, -a, b, b, b, b, b);
}

kernel void lengths(long a, ulong b)
{
    printf("%ld %lu %lx\n", a, b, b);
    printf("%hhd %hhu %hd %hu\n", (char)b, (uchar)b, (short)b, (ushort)b);
}

kernel void floats(float a, float b)
{
    printf("%f %g %.0e %.2e %g %.0f\n", a, a, a + 0.25f, a, b, b);
    printf("[%6.2f] [%-6.2f] [%06.2f] [%+g] [% g]\n", a, a, a, a, a);
    printf("%a %#.5g %E %G\n", a, a, b, b);
}

kernel void text(int letter)
{
    printf("%c [%3c] [%-3c] %s [%8s] [%-6s] [%.3s] %d%%\n", letter, letter, letter, "plain", "padded", "left", "cut off", 100);
    float zero = letter - 65;
    printf("%f %f %F %f\n", 1 / zero, -1 / zero, 1 / zero, fabs(zero / zero));
}
