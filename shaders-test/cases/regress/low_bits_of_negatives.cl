// Low bits of negatives of bytes, among them of the least, where products, quotients and differences make them.
// RUN: kernel=product global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=4294967168,4294967168,77,77
// RUN: kernel=wide global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=4294967168,4294967168,77,77
// RUN: kernel=shifted global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=4294967168,4294967168,77,77
// RUN: kernel=difference global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=113,113,112,112
// RUN: kernel=vector global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=4286578432,4294639483,65530,4294967169
// RUN: kernel=complement global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=196614,196614,3,3
// RUN: kernel=sum global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=4294957312,4294957435,540,9779
// RUN: kernel=compared global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=7405794,7405794,7340257,7340257
uint both(int2 v)
{
    return v.x * 65537 + v.y;
}

kernel void product(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    uchar n = (uchar)(x * -1);
    out[i] = (n & 0xff) >= 0x80 ? y : 77;
}

kernel void wide(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    uchar n = (uchar)-(long)x;
    out[i] = (n & 0xff) >= 0x80 ? y : 77;
}

kernel void shifted(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    uchar n = (uchar)((x << 8) - x);
    out[i] = (n & 0xff) >= 0x80 ? y : 77;
}

kernel void difference(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    uchar n = (uchar)(y - x - y);
    out[i] = 112 - -(n >= 0x80);
}

kernel void vector(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    char2 n = convert_char2(convert_int2(in[i]) * -1);
    out[i] = both(convert_int2(n));
}

kernel void complement(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    uchar2 n = convert_uchar2(~convert_int2(in[i]) + 1);
    out[i] = both(convert_int2(n >> (uchar2)7) * 3);
}

kernel void sum(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    out[i] = (short)(y * 77) + (char)(x * -1);
}

kernel void compared(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    uchar2 n = convert_uchar2(-convert_int2(in[i]));
    out[i] = both((int2)112 - convert_int2((uchar2)0x80 <= n));
}
