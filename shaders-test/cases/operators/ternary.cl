// The conditional operator: scalars of different types, pointers, structures, lanes of vectors, nested chains.
// RUN: kernel=k global=5
// ARG: buffer:int=-2,-1,0,1,2
// ARG: buffer:bytes=160
// EXPECT: pocl
typedef struct { int a, b; } pair;
kernel void k(global const int *in, global int *out)
{
    const int i = get_global_id(0), x = in[i];
    global int *o = out + i * 8;
    o[0] = x < 0 ? -1 : x > 0 ? 1 : 0;
    o[1] = (x ? 3u : -1) > 2;
    pair p = { 1, 2 }, q = { 3, 4 };
    o[2] = (x & 1 ? p : q).b;
    int *r = x > 0 ? &p.a : &q.a;
    *r += 10;
    o[3] = p.a * 100 + q.a;
    int4 v = (int4)(x, -x, x + 1, 0);
    int4 w = v > 0 ? v : (int4)(100);
    o[4] = w.x; o[5] = w.y; o[6] = w.z;
    o[7] = x ? (char)x : 2.5f;
}
