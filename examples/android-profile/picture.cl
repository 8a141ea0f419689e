/* A picture in grey, and how often each grey occurs in it. */

/* Of four bytes: red, green and blue, with the weights of ITU-R BT.601 in 256ths, which add up to 256. */
kernel void grey(global const uchar4 *picture, uint count, global uchar *grey)
{
    size_t i = get_global_id(0);
    if (i < count)
        grey[i] = (picture[i].x * 77 + picture[i].y * 150 + picture[i].z * 29) >> 8;
}

kernel void histogram(global const uchar *grey, uint count, global uint *bins, global ulong *sum)
{
    local uint part[256];
    size_t id = get_local_id(0), size = get_local_size(0);
    for (size_t bin = id; bin < 256; bin += size)
        part[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&part[grey[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t bin = id; bin < 256; bin += size)
        atomic_add(&bins[bin], part[bin]);
    if (get_global_id(0) == 0) {
        ulong all = 0;
        for (uint i = 0; i < count; i++)
            all += (ulong)grey[i] << 32;
        sum[0] = all;
    }
}
