// Bytes and halves of words written by neighbouring work-items stay whole.
// RUN: kernel=k global=64 local=16
// ARG: buffer:bytes=64
// ARG: buffer:bytes=128
// EXPECT: pocl
kernel void k(global uchar *bytes, global short *halves)
{
    local uchar shared[16];
    local ushort wide[16];
    const int i = get_global_id(0), l = get_local_id(0);
    shared[l ^ 1] = i * 3;
    wide[15 - l] = i * 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    bytes[i] = shared[l];
    halves[i] = wide[l] - shared[l];
}
