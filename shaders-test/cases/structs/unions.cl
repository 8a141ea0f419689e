// A union overlays its members.
// RUN: kernel=k global=1
// ARG: buffer:float=1.0
// ARG: buffer:bytes=24
// EXPECT 1: int=1065353216,128,63,4,16,2
typedef union { float f; uint u; uchar b[4]; } word;
typedef union { int4 v; int s[4]; } lanes;
kernel void k(global const float *in, global int *out)
{
    word w;
    w.f = in[0];
    out[0] = w.u;
    out[1] = w.b[2];
    out[2] = w.b[3];
    out[3] = sizeof(word);
    lanes l;
    l.v = (int4)(0, 1, 2, 3);
    out[4] = sizeof(lanes);
    out[5] = l.s[2];
}
