// Private arrays: initialised in part, two-dimensional, of structures, in loops, as sort buffers.
// RUN: kernel=k global=6
// ARG: buffer:int=5,3,9,1,7,2
// ARG: buffer:bytes=96
// EXPECT: pocl
typedef struct { int key; char tag; } slot;
kernel void k(global const int *in, global int *out)
{
    const int g = get_global_id(0);
    slot s[6];
    for (int i = 0; i < 6; i++) {
        s[i].key = in[(i + g) % 6];
        s[i].tag = 'a' + i;
    }
    for (int i = 1; i < 6; i++)
        for (int j = i; j > 0 && s[j - 1].key > s[j].key; j--) {
            slot t = s[j];
            s[j] = s[j - 1];
            s[j - 1] = t;
        }
    int part[8] = { 1, 2 };
    uchar bytes[3][3] = { { 1, 2, 3 }, { 4 } };
    for (int i = 0; i < 3; i++)
        bytes[i][(i + g) % 3] += 250;
    out[g * 4] = s[g].key * 256 + s[g].tag;
    out[g * 4 + 1] = part[g] + part[7];
    out[g * 4 + 2] = bytes[g % 3][g / 2];
    out[g * 4 + 3] = bytes[1][1] + bytes[2][2];
}
