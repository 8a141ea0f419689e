// Packed and aligned attributes change offsets and sizes.
// RUN: kernel=k global=1
// ARG: buffer:uchar=1,2,0,0,0,3,0,4,5,0,0,0,6,0
// ARG: buffer:bytes=24
// EXPECT 1: int=7,1,2,3,5,16
typedef struct __attribute__((packed)) { uchar a; int b; short c; } tight;
typedef struct { int a; } __attribute__((aligned(16))) roomy;
kernel void k(global const tight *in, global int *out)
{
    out[0] = sizeof(tight);
    out[1] = in[0].a;
    out[2] = in[0].b;
    out[3] = in[0].c;
    out[4] = in[1].b;
    out[5] = sizeof(roomy);
}
