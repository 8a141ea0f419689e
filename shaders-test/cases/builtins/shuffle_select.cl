// shuffle, shuffle2, select on scalars, vectors of conditions.
// RUN: kernel=k global=1
// ARG: buffer:bytes=64
// EXPECT: pocl
kernel void k(global int *out)
{
    const int4 v = (int4)(10, 20, 30, 40), w = (int4)(1, 2, 3, 4);
    const uint4 m = (uint4)(3, 2, 5, 0);
    vstore4(shuffle(v, m), 0, out);
    vstore4(shuffle2(v, w, (uint4)(7, 0, 4, 3)), 1, out);
    out[8] = select(1, 2, 3);
    out[9] = select(1.0f, 2.0f, 0);
    out[10] = select((char)1, (char)2, (char)-1);
    vstore4(select(v, w, (int4)(0, -1, 1, 0x80000000)), 3, out);
}
