// Copies: what a memory-bound kernel can reach.

kernel void copy_float(global const float *from, global float *to)
{
    size_t i = get_global_id(0);
    to[i] = from[i];
}

kernel void copy_byte(global const uchar *from, global uchar *to)
{
    size_t i = get_global_id(0);
    to[i] = from[i];
}

kernel void copy_float4(global const float4 *from, global float4 *to)
{
    size_t i = get_global_id(0);
    to[i] = from[i];
}

kernel void add_scaled(global const float *x, global const float *y, global float *to, float by)
{
    size_t i = get_global_id(0);
    to[i] = x[i] * by + y[i];
}

kernel void gather(global const uint *at, global const float *from, global float *to)
{
    size_t i = get_global_id(0);
    to[i] = from[at[i]];
}

kernel void transpose(global const float *from, global float *to, uint size)
{
    local float tile[16][17];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_group_id(0) * 16, row = get_group_id(1) * 16;
    tile[y][x] = from[(row + y) * size + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[(column + y) * size + row + x] = tile[x][y];
}
