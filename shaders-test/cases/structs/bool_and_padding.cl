// bool members, mixed sizes and tail padding; layout as C has it.
// RUN: kernel=k global=2
// ARG: buffer:bytes=64
// EXPECT: pocl
typedef struct { bool on; char c; bool off; double d; } flags;
typedef struct { uchar a; ulong b; uchar c; } wide;
kernel void k(global int *out)
{
    const int i = get_global_id(0);
    flags f;
    f.on = i * 256;
    f.off = !f.on;
    f.c = 'x';
    f.d = 0;
    wide w[2];
    w[i].a = 1; w[i].b = 2; w[i].c = 3;
    global int *o = out + i * 8;
    o[0] = f.on; o[1] = f.off; o[2] = sizeof(flags); o[3] = sizeof(wide);
    o[4] = (int)((char *)&w[1] - (char *)&w[0]);
    o[5] = f.on + f.off; o[6] = sizeof(bool); o[7] = w[i].a + (int)w[i].b + w[i].c;
}
