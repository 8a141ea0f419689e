// Bytes of words in global, local and private memory.
// RUN: kernel=k global=4 local=4
// ARG: buffer:uint=0x04030201,0x08070605,0xffffffff,0x80000000
// ARG: buffer:bytes=80
// EXPECT: pocl
kernel void k(global const uint *in, global int *out)
{
    local uint shared[4];
    const int i = get_local_id(0);
    shared[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint mine[2] = { in[i], ~in[i] };
    global int *o = out + i * 5;
    o[0] = ((global const uchar *)in)[i * 4 + 1];
    o[1] = ((global const short *)(in + i))[1];
    o[2] = ((local uchar *)shared)[i * 4 + 3];
    o[3] = ((uchar *)mine)[i];
    o[4] = as_int(((float *)mine)[0]) == (int)mine[0];
}
