// Vectors of every element size and length.
// RUN: kernel=k global=1
// ARG: int=3
// PRINTS: 1,-2,3,4
// PRINTS: 1,2,3
// PRINTS: 0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f
// PRINTS: 1,0,0,0,0,0,0,ffff
// PRINTS: 1.50,3.00 [  1.5,   -2]
// PRINTS: -3,1099511627776 0.500000,3.000000,0.250000

kernel void k(int three)
{
    printf("%v4hld\n", (int4)(1, -2, three, 4));
    printf("%v3hld\n", (int3)(1, 2, three));
    printf("%v16hhx\n", (uchar16)(0, 1, 2, three, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    printf("%v8hx\n", (ushort8)(1, 0, 0, 0, 0, 0, 0, -1));
    printf("%.2v2hlf [%5v2hlg]\n", (float2)(1.5f, three), (float2)(1.5f, -2));
    printf("%v2ld %v3lf\n", (long2)(-three, 1l << 40), (double3)(0.5, three, 0.25));
}
