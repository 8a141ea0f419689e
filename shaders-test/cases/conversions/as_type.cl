// as_ keeps the bits, also between vectors of other element sizes.
// RUN: kernel=k global=1
// ARG: buffer:float=1,-2,0.5,100
// ARG: buffer:uint=0x3f800000,0x01020304,0xfffefdfc,7
// ARG: buffer:bytes=128
// EXPECT: pocl
kernel void k(global const float4 *f, global const uint4 *u, global int4 *out)
{
    out[0] = as_int4(*f);
    out[1] = convert_int4(as_float4(*u).xxxx * 3.0f);
    out[2] = convert_int4(as_uchar4(u->y));
    out[3] = convert_int4(as_short4(u->yz));
    out[4] = (int4)(as_int(1.0f), as_int(as_char4(0x7f80ff00)), as_uchar((char)-1), as_short((uchar2)(1, 2)));
    out[5] = as_int4(as_long2(*u) + 1);
    out[6] = as_int4(as_uchar16(*u).s0123fedc89ab4567);
    out[7] = (int4)(as_int3(f->xyz).z, (int)(as_ulong(2.0) >> 52), as_uint(as_float(5)), 0);
}
