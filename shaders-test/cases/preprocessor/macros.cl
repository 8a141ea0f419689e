// Pasting, strings, variadic macros, redefinition by undef, conditions, line and file.
// OPTIONS: -D WIDTH=4 -DFLAG -DTYPE=int
// RUN: kernel=k global=1
// ARG: buffer:bytes=64
// EXPECT: pocl
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define VEC CAT(TYPE, WIDTH)
#define STR(x) #x
#define SUM(result, ...) { const int v_[] = { __VA_ARGS__ }; result = sum_of(v_, sizeof v_ / sizeof *v_); }
#define REPEAT4(X) X(0) X(1) X(2) X(3)
#define SET(n) out[n] = n * n;
#define f(x) ((x) + 1)
#if defined(FLAG) && WIDTH >= 4 && !defined(NOTHING)
#define ANSWER 42
#elif UNKNOWN
#error not here
#else
#define ANSWER 0
#endif
#ifndef __OPENCL_VERSION__
#error no version
#endif
static int sum_of(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s += v[i];
    return s;
}
kernel void k(global int *out)
{
    REPEAT4(SET)
    VEC v = (VEC)(ANSWER);
    out[4] = v.w;
    SUM(out[5], 1, 2, 3)
    constant char *s = STR(a + "b");
    out[6] = s[4];
    out[7] = f(f(1)) * f (2);
    out[8] = __LINE__;
#undef ANSWER
#define ANSWER \
    17
    out[9] = ANSWER;
    out[10] = WIDTH /* comment */ * /* another
    */ 2; // last
    out[11] = sizeof(STR(CAT(x, y)));
#line 1000
    out[12] = __LINE__;
    out[13] = __OPENCL_C_VERSION__ >= 120;
    out[14] = __ENDIAN_LITTLE__;
    out[15] = 'A' + '\n' + '\x10' + 0x1fu + 010 + 1e1f;
}
