// Local arrays of several types and dimensions declared in the kernel, beside one from the host.
// RUN: kernel=k global=32 local=8
// ARG: buffer:bytes=128
// ARG: local:bytes=16
// EXPECT: pocl
kernel void k(global int *out, local short *extra)
{
    local uchar bytes[8];
    local float4 wide[8];
    local int grid[2][8];
    local struct { int a; char b; } records[8];
    const int i = get_local_id(0), n = get_local_size(0), g = get_group_id(0);
    bytes[i] = 255 - i - g;
    wide[i] = (float4)(i, g, i * 2, 1);
    grid[i & 1][i] = i;
    grid[(i + 1) & 1][i] = -i;
    records[i].a = i * 7;
    records[i].b = -i;
    extra[i] = -1000 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int j = n - 1 - i;
    out[get_global_id(0)] = bytes[j] + (int)wide[j].z + (int)wide[j].y + grid[0][j] * 3 + records[j].a + records[j].b
                          + extra[j];
}
