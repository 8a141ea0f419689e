// Integers of 16 bits whose bytes change places, in several spellings.
// RUN: kernel=swapped global=4 local=4
// ARG: buffer:ushort=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:short=-32768,255,4660,-2,-1,128,258,-30000
// EXPECT 0: ushort=128,0,65280,128,65280,65408,128,65280,13330,36954,65279,39990,65279,12818,13330,65279,65535,256,32768,65023,32768,32512,65535,32768,513,1028,53386,1539,53386,53899,513,53386
kernel void swapped(global ushort *out, global const short2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    out += i * 8;
    out[0] = x << 8 | (x >> 8 & 0xff);
    out[1] = rotate((ushort)(x * x), (ushort)8);
    out[2] = (ushort)y << 8 | (ushort)y >> 8;
    out[3] = upsample((uchar)(x * 3), (uchar)(x * 3 >> 8));
    out[4] = (y & 0xff) << 8 | (y >> 8 & 0xff);
    out[5] = (((ushort)(x + y)) << 8) + ((ushort)(x + y) >> 8);
    ushort2 both = rotate(as_ushort2(in[i]), (ushort2)8);
    out[6] = both.x;
    out[7] = both.y;
}

__attribute__((noinline)) ushort swapped_words(uint x, uint count)
{
    if (count == 12345)
        for (uint i = 0; i < count; i++)
            x = x * 7 + 1;
    return x << 8 | (x >> 8 & 0xff);
}

// RUN: kernel=in_other_words global=4 local=4
// ARG: buffer:ushort=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:short=-32768,255,4660,-2,-1,128,258,-30000
// ARG: uint=1
// EXPECT 0: ushort=128,65280,128,65280,128,128,65280,383,13330,65279,13330,65279,39131,13330,65279,13842,65535,32768,65535,32768,33023,65535,32768,32767,513,53386,513,53386,41189,513,53386,12918
kernel void in_other_words(global ushort *out, global const short2 *in, uint choice)
{
    uint i = get_global_id(0);
    uint x = as_ushort(in[i].x), y = as_ushort(in[i].y);
    out += i * 8;
    out[0] = (ulong)x << 8 ^ (ulong)(ushort)x >> 8;
    out[1] = y << 24 >> 16 | y << 16 >> 24;
    out[2] = (x << 16) >> 8 & 0xff00 | (ushort)x / 256;
    uint upper = (ushort)(y << 8);
    if (choice & 1)
        upper = y * 256;
    out[3] = upper | y >> 8;
    ulong product = (ulong)x * y;
    out[4] = (product & 0xff) << 8 | (product >> 8 & 0xff);
    out[5] = swapped_words(x, choice);
    ushort bytes[3];
    for (uint n = 0; n < 3; n++)
        bytes[n] = y << n * 8;
    out[6] = bytes[1] | (ushort)y >> 8;
    out[7] = (ushort)(x - y) % 256 * 256 + (ushort)(x - y) / 256;
}
