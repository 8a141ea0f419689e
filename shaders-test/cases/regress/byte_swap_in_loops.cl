// Integers of 16 bits whose bytes change places, in loops and quotients.
// RUN: kernel=swapped global=8 local=4
// ARG: buffer:ushort=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:ushort=32768,255,4660,65534,65535,128,258,35536
// EXPECT 0: ushort=128,128,128,65280,65280,64770,13330,13330,39990,65279,65279,64255,65535,65535,65023,32768,32768,32769,513,513,1539,53386,53386,28832
kernel void swapped(global ushort *out, global const ushort *in)
{
    uint i = get_global_id(0);
    ushort x = in[i], bytes[3];
    for (uint n = 0; n < 3; n++)
        bytes[n] = x << n * 8;
    out[3 * i] = bytes[1] | x >> 8;
    out[3 * i + 1] = x << 8 | x / 256;
    ushort y = x * 3;
    out[3 * i + 2] = y % 256 * 256 ^ y >> 8;
}
