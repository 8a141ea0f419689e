// Arguments of all sizes; more bytes than push constants hold.
// RUN: kernel=k global=1
// ARG: buffer:bytes=160
// ARG: char=-5
// ARG: short=-300
// ARG: int=70000
// ARG: long=-5000000000
// ARG: float=1.5
// ARG: uchar3=1,2,3
// ARG: float3=4,5,6
// ARG: int8=1,2,3,4,5,6,7,8
// ARG: ulong2=1,2
// ARG: double=2.5
// ARG: float16=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
// ARG: buffer:int=77
// ARG: uchar=200
// EXPECT 0: long=-5,-300,70000,-5000000000,15,3,6,8,2,25,16,77,200
kernel void k(global long *out, char c, short s, int i, long l, float f, uchar3 b, float3 v, int8 w, ulong2 u,
              double d, float16 x, global const int *more, uchar last)
{
    out[0] = c; out[1] = s; out[2] = i; out[3] = l; out[4] = (long)(f * 10); out[5] = b.z; out[6] = (long)v.z;
    out[7] = w.s7; out[8] = u.y; out[9] = (long)(d * 10); out[10] = (long)x.sf; out[11] = *more; out[12] = last;
}
