// Halves of vectors of three lanes: a fourth lane that is written is lost, and touches no other.
// RUN: kernel=k global=1
// ARG: buffer:int=1,2,3,4,5,6,7,8
// ARG: buffer:bytes=96
// EXPECT 1: int=10,2,30,0,5,50,7,0,8,60,9,0,1,2,3,0,4,4,3,0,14,2,3,-1
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
    // The lane is chosen at run time.
    int3 d = (int3)(1, 2, 3), e = d, f = d;
    d.hi[in[0]] = 55;
    vstore3(d, 0, out + 12);
    out[15] = 0;
    e.xy[in[0] - 1] += 3, e.xy[in[0]] += in[1];
    vstore3(e, 0, out + 16);
    f.hi[in[0]] = 66;
    out[19] = 0;
    vstore3(f + (int3)(13, 0, 0), 0, out + 20);
    out[23] = -1;
}
