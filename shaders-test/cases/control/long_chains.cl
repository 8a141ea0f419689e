// Chains as macros and generators write them: longer than control flow may be nested. Expected values: gcc and clang on a CPU.
// RUN: kernel=values global=8
// ARG: buffer:int=0,5,63,64,1024,1999,2000,-3
// ARG: buffer:bytes=32
// EXPECT 1: int=1,36,442,449,7169,13994,-1,-1
// RUN: kernel=sums global=8
// ARG: buffer:int=0,5,63,64,1024,1999,2000,-3
// ARG: buffer:bytes=32
// EXPECT 1: int=30000,180000,1920000,1950000,30750000,60000000,60030000,-60000
// RUN: kernel=calls global=8
// ARG: buffer:int=0,5,63,64,1024,1999,2000,-3
// ARG: buffer:bytes=64
// EXPECT 1: int=0,10,126,128,-1024,-1999,12,12,1,1,1,1,1,1,0,0
// RUN: kernel=records global=8
// ARG: buffer:int=0,5,63,64,1024,1999,2000,-3
// ARG: buffer:bytes=32
// EXPECT 1: int=0,5,63,64,24,24,24,24
// RUN: kernel=conditions global=8
// ARG: buffer:int=0,5,63,64,1024,1999,2000,-3
// ARG: buffer:bytes=32
// EXPECT 1: int=1,0,0,0,0,0,0,0
// RUN: kernel=effects global=8
// ARG: buffer:int=0,5,63,64,1024,1999,2000,-3
// ARG: buffer:bytes=32
// EXPECT 1: int=50,55,113,114,1074,2049,12,12
// SKIP reference: PoCL 3.1 overflows its stack

#define TEN(m, n) m(n) m(n + 1) m(n + 2) m(n + 3) m(n + 4) m(n + 5) m(n + 6) m(n + 7) m(n + 8) m(n + 9)
#define TENS(m, n) TEN(m, n) TEN(m, n + 10) TEN(m, n + 20) TEN(m, n + 30) TEN(m, n + 40) TEN(m, n + 50) TEN(m, n + 60) TEN(m, n + 70) TEN(m, n + 80) TEN(m, n + 90)
#define HUNDREDS(m, n) TENS(m, n) TENS(m, n + 100) TENS(m, n + 200) TENS(m, n + 300) TENS(m, n + 400) TENS(m, n + 500) TENS(m, n + 600) TENS(m, n + 700) TENS(m, n + 800) TENS(m, n + 900)
#define PLUS(n) + y
#define THOUSAND HUNDREDS(PLUS, 0)
#define VALUE(n) x == (n) ? (n) * 7 + 1 :
#define CALL(n) x == (n) ? twice(n, calls) :
#define RECORD(n) x == (n) ? pair_of(n) :
#define OR(n) || (x + (n)) % 997 == 1
#define EFFECT(n) x == (n) ? (void)(*calls += n) :

int twice(int n, int *calls) { ++*calls; return n < 1000 ? n * 2 : -n; }

struct pair { int a; float b; };
struct pair pair_of(int n) { struct pair p = {n, n}; return p; }

kernel void values(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i];
    out[i] = HUNDREDS(VALUE, 0) HUNDREDS(VALUE, 1000) -1;
}

kernel void sums(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i], y = x + 1;
    out[i] = 0
        THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND
        THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND
        THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND;
}

kernel void calls(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i], count = 0;
    int *calls = &count;
    out[i] = HUNDREDS(CALL, 0) HUNDREDS(CALL, 1000) 12;
    out[i + 8] = count;
}

kernel void records(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i];
    struct pair p = TENS(RECORD, 0) pair_of(24);
    out[i] = p.a == p.b ? p.a : -1;
}

kernel void conditions(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i];
    out[i] = x == 0 TENS(OR, 30) && (x & 1) == 0;
}

kernel void effects(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i], count = 50;
    int *calls = &count;
    HUNDREDS(EFFECT, 0) HUNDREDS(EFFECT, 1000) (void)(count = 12);
    out[i] = count;
}
// SKIP sanitized: lavapipe takes minutes to compile it with all checks
