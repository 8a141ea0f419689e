// vloadn and vstoren read and write at the element's alignment.
// RUN: kernel=k global=1
// ARG: buffer:int=0..16
// ARG: buffer:bytes=64
// EXPECT 1: int=0,1,2,3,0,5,6,7,8,9,0,13,14,15,0,4
kernel void k(global const int *in, global int *out)
{
    vstore3(vload3(0, in + 1), 0, out + 1);
    vstore4(vload4(1, in + 1), 0, out + 5);
    out[9] = vload2(4, in + 1).x;
    vstore3(vload3(4, in + 1), 0, out + 11);
    int private_copy[4] = { 1, 2, 3, 4 };
    out[15] = vload4(0, private_copy).w;
}
