// The comma operator, sizeof of types and expressions (its operand is not evaluated), casts to void.
// RUN: kernel=k global=1
// ARG: buffer:bytes=88
// EXPECT 0: int=3,2,4,16,16,12,8,40,20,1,2
typedef struct { char c; int3 v; } padded;
typedef struct { char a; short b; char c[5]; } small;
kernel void k(global int *out)
{
    int a = 1, b;
    b = (a++, a + 1);
    out[0] = b;
    out[1] = a;
    out[2] = sizeof(a++);
    out[3] = sizeof(int3);
    out[4] = sizeof(float4);
    out[5] = sizeof(small) + (a == 2 ? 2 : 100);
    out[6] = sizeof(global int *);
    int array[10];
    out[7] = sizeof array;
    out[8] = sizeof(padded) - 12;
    array[0] = 0, array[1] = 1;
    (void)array[0];
    out[9] = array[1];
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 4);
    out[10] = i;
}
