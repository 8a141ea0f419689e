// Halves of vectors of three lanes: a fourth lane that is written is lost, and touches no other.
// RUN: kernel=k global=1
// ARG: buffer:int=1,2,3,4,5,6,7,8
// ARG: buffer:bytes=48
// EXPECT 1: int=10,2,30,0,5,50,7,0,8,60,9,0
kernel void k(global const int *in, global int *out)
{
    int3 a = vload3(0, in), b = (int3)(in[4], in[5], in[6]);
    a.even = (int2)(10, 30);
    b.odd = (int2)(50, 99);
    int3 c = (int3)(in[7], 0, 9);
    c.lo.y = 60;
    c.lo.hi = 60;
    global int3 *o = (global int3 *)out;
    out[3] = out[7] = out[11] = 0;
    vstore3(a, 0, out);
    vstore3(b, 0, out + 4);
    vstore3(c, 0, out + 8);
    o[2].hi = (int2)(9, 77);
    o[1].hi.x = 7;
}
