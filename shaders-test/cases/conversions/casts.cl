// Casts between all scalar types, in range.
// RUN: kernel=k global=4
// ARG: buffer:float=1.9,-1.9,100.5,-0.4
// ARG: buffer:long=300,-300,4294967297,-1
// ARG: buffer:bytes=512
// EXPECT: pocl
kernel void k(global const float *f, global const long *l, global long *out)
{
    const int i = get_global_id(0);
    global long *o = out + i * 16;
    o[0] = (int)f[i]; o[1] = (long)f[i]; o[2] = (char)f[i]; o[3] = (short)f[i];
    o[4] = (char)l[i]; o[5] = (uchar)l[i]; o[6] = (short)l[i]; o[7] = (ushort)l[i];
    o[8] = (int)l[i]; o[9] = (uint)l[i]; o[10] = (bool)l[i]; o[11] = (bool)f[i];
    o[12] = (long)(float)(int)l[i]; o[13] = (ulong)(char)l[i]; o[14] = (uint)(short)l[i]; o[15] = (long)((float)(uchar)l[i] / 2);
}
