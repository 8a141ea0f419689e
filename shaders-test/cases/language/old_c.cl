// RUN: kernel=k global=1
// ARG: buffer:int=3,4
// ARG: buffer:bytes=40
// EXPECT 1: int=7,12,5,9,1,6,3,10,2,42

#define CALL(f, ...) f(__VA_ARGS__)
#define FIRST_OF(f, a, ...) f(a __VA_OPT__(, ) __VA_ARGS__)

int add(a, b) int a, b; { return a + b; }
float scale(factor, values, count)
    float factor;
    global const int *values;
{ return factor * values[count]; }
static implicit(const x) { return x + 2; }
also_int(int x) { return x * x; }
one();
one() { return 1; }
two(int a, int b) { return a + b; }
twice(int a) { return 2 * a; }

kernel void k(global const int *in, global int *out) {
    int at = 0;
    out[at++] = add(in[0], in[1]);
    out[at++] = (int)scale(3.0f, in, 1);
    out[at++] = implicit(in[0]);
    out[at++] = also_int(in[0]);
    out[at++] = one();
    out[at++] = FIRST_OF(twice, in[0]);
    out[at++] = FIRST_OF(two, in[0], 0);
    out[at++] = CALL(add, in[0], in[0] + in[1]);
    int \u00e9t\u00e9 = 2;
    out[at++] = été;
    switch (L'*') case 42: out[at++] = '*';
}
