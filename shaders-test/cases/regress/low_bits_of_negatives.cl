// Low bits of negatives of bytes, among them of the least, where products, quotients and differences make them.
// RUN: kernel=negatives global=4 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=4294967168,4294967168,4294967168,113,4286578432,196614,172,7405794,4294967168,4294967168,4294967168,113,4294639483,196614,295,7405794,77,77,77,112,65530,3,301,7340257,77,77,77,112,4294967169,3,300,7340257
uint choice(uchar n, int y)
{
    return (n & 0xff) >= 0x80 ? y : 77;
}

uint both(int2 v)
{
    return v.x * 65537 + v.y;
}

kernel void negatives(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    int2 v = convert_int2(in[i]);
    out += i * 8;
    out[0] = choice((uchar)(x * -1), y);
    out[1] = choice((uchar)-(long)x, y);
    out[2] = choice((uchar)((x << 8) - x), y);
    out[3] = 112 - -((uchar)(y - x - y) >= 0x80);
    out[4] = both(convert_int2(convert_char2(v * -1)));
    out[5] = both(convert_int2(convert_uchar2(~v + 1) >> (uchar2)7) * 3);
    out[6] = (short)300 + (char)(x / -1);
    out[7] = both((int2)112 - convert_int2((uchar2)0x80 <= convert_uchar2(~(v - 1))));
}
