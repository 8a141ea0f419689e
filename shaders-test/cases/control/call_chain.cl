// A deep chain of small functions, f9(x) = 42 x + 139 when worked out; one is declared before it is defined.
// RUN: kernel=k global=4
// ARG: buffer:bytes=16
// EXPECT 0: int=139,181,223,265
int f9(int);
static int f0(int x) { return x + 1; }
static inline int f1(int x) { return f0(x) * 2; }
int f2(int x) { return f1(x) + f0(x); }
int f3(int x) { int y = f2(x); return y - f0(0); }
int f4(int x) { return f3(x + 1) + 1; }
int f5(int x) { return f4(f4(x) / 3 + x * 0); }
int f6(int x) { return f5(x) + f0(f0(x)); }
int f7(int x) { return x > 1000 ? 0 : f6(x); }
int f8(int x) { return f7(f7(x)) - 0; }
kernel void k(global int *out)
{
    int i = get_global_id(0);
    out[i] = f9(i) + 0 * f8(i);
}
int f9(int x) { int a = f4(x); return f3(a * 3) + a * 5 - f2(a) * 0 + 61 - 8; }
