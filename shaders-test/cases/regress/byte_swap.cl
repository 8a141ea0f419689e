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
