// Structures as kernel argument, as parameters and results, assigned whole; a callee's changes stay its own.
// RUN: kernel=k global=2
// ARG: int4=1,2,3,4
// ARG: buffer:bytes=48
// EXPECT 1: int=1,2,3,4,10,110,1,2,3,4,10,110
typedef struct { int a; short b, c; int d[2]; } item;
item changed(item x)
{
    x.a *= 10;
    x.d[1] += 100;
    return x;
}
kernel void k(int4 raw, global int *out)
{
    item x;
    x.a = raw.x; x.b = raw.y; x.c = raw.z; x.d[0] = raw.w; x.d[1] = 10;
    item y = changed(x), z;
    z = y;
    global int *o = out + get_global_id(0) * 6;
    o[0] = x.a; o[1] = x.b; o[2] = x.c; o[3] = x.d[0]; o[4] = z.a; o[5] = z.d[1];
}
