// convert_ between vector types.
// RUN: kernel=k global=1
// ARG: buffer:float=1.75,-2.25,3.5,100
// ARG: buffer:int=1,-1,300,70000
// ARG: buffer:bytes=160
// EXPECT: pocl
kernel void k(global const float4 *f, global const int4 *n, global int4 *out)
{
    out[0] = convert_int4(*f);
    out[1] = convert_int4(convert_char4(*f));
    out[2] = convert_int4(convert_uchar4(*n));
    out[3] = convert_int4(convert_short4(*n));
    out[4] = convert_int4(convert_float4(*n) * 0.5f);
    out[5] = convert_int4(convert_long4(*n) >> 33);
    out[6] = convert_int4(convert_ushort4(convert_uint4(*n)));
    out[7] = (int4)(convert_int(f->x), convert_uchar(f->w), convert_short(n->w), convert_int(2.5));
    out[8] = convert_int4(convert_double4(*f) * 4.0);
    out[9] = convert_int8((char8)(1, 2, 3, 4, -1, -2, -3, -4)).hi;
}
