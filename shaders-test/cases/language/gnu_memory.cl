// Memory copied, moved and filled by GNU C's built-in functions: in units, in loops, up and down, between address spaces.
// RUN: kernel=k global=1
// ARG: buffer:int=17,5,3
// ARG: buffer:bytes=128
// EXPECT: pocl
struct s { char c; short h[3]; float4 v; };
kernel void k(global const int *in, global int *out)
{
    int a[40], b[40], n = in[0];
    char bytes[80];
    for (int i = 0; i < 40; i++) a[i] = i * in[1], b[i] = -i;
    __builtin_memcpy(b, a, sizeof a);
    out[0] = b[39] + b[n];
    __builtin_memcpy(bytes + 3, a + 1, 8);
    out[1] = bytes[3] + bytes[7] * 100 + (bytes[10] == 0);
    __builtin_memmove(a + 2, a, 20);
    out[2] = a[2] + a[3] * 10 + a[6] * 100;
    for (int i = 0; i < 80; i++) bytes[i] = i;
    __builtin_memmove(bytes + in[1], bytes + in[2], n);
    out[3] = bytes[5] + bytes[6] * 3 + bytes[21] * 5;
    __builtin_memmove(bytes + 30, bytes + 35, n);
    out[4] = bytes[30] + bytes[31] * 3 + bytes[46] * 5;
    __builtin_memset(bytes, in[2] * 86, n);
    out[5] = bytes[0] + bytes[16] * 3 + bytes[17] * 5;
    __builtin_memset(b, -1, sizeof b / 2);
    out[6] = b[0] + b[19] + b[20];
    struct s x, y;
    __builtin_memset(&x, 0, sizeof x);
    x.c = 3; x.h[1] = -7; x.v.z = 2.5f;
    __builtin_memcpy(&y, &x, sizeof x);
    out[7] = y.c + y.h[1] + y.h[2];
    out[8] = y.v.z * 2;
    __builtin_memcpy(out + 9, b + 18, 12);
    __builtin_memcpy(out + 12, in, n - 5);
    float f = 1.5f; uint u;
    __builtin_memcpy(&u, &f, 4);
    out[15] = u;
}
