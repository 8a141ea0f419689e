// Whether products and sums fit the type of their operands, with what they are then.
// RUN: kernel=checks global=8 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:uint=1,4294967295,65536,65536,65535,65537,2147483648,2,3,1431655765,1431655766,3,0,4294967295,65536,65535
// ARG: buffer:char=100,27,28,-100,-28,-29,127,1,-128,-1,0,127,-128,-128,64,63
// ARG: buffer:uchar=15,17,16,16,255,1,0,255,128,2,127,2,255,255,13,20
// ARG: buffer:ushort=255,257,256,256,65535,1,0,65535,32768,2,32767,2,65535,65535,1000,65
// EXPECT 0: uint=0,4294967295,4294967295,0,254,0,65535,65535,1,4294967295,1,0,368,1,65535,1,0,4294967295,4294967295,0,398,0,65535,65535,1,4294967295,1,1,257,0,0,0,0,4294967295,4294967295,1,255,1,65535,1,1,4294967295,3,0,254,0,65534,65534,0,0,0,1,1,1,65535,2,0,4294901760,4294901760,0,254,1,65000,65000
kernel void checks(global uint *out, global const uint2 *words, global const char2 *chars, global const uchar2 *bytes,
                   global const ushort2 *shorts)
{
    uint i = get_global_id(0);
    out += i * 8;
    uint a = words[i].x, b = words[i].y;
    out[0] = (ulong)a * b > UINT_MAX;
    out[1] = (ulong)a * b >= 0x100000000 ? UINT_MAX : a * b;
    ulong product = (ulong)a * b;
    out[2] = (uint)product + (product > UINT_MAX);
    int sum = chars[i].x + chars[i].y;
    out[3] = (char)sum != sum;
    out[4] = (sum > CHAR_MAX || sum < CHAR_MIN) + 2 * (uchar)sum;
    uint square = (uint)bytes[i].x * bytes[i].y;
    uchar low = square;
    out[5] = low != square;
    uint area = (uint)shorts[i].x * shorts[i].y;
    out[6] = area > USHRT_MAX ? USHRT_MAX : (ushort)area;
    out[7] = (ushort)area + (area >= 65536);
}
