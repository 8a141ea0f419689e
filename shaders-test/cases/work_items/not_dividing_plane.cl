// The same in two dimensions, with an offset; every work-item runs once.
// RUN: kernel=k global=13,7 local=8,4 offset=2,1
// ARG: buffer:bytes=364
// ARG: buffer:bytes=4
// EXPECT: pocl
kernel void k(global int *out, global int *count)
{
    const int x = get_global_id(0), y = get_global_id(1);
    out[(y - 1) * 13 + x - 2] += x * 100 + y + get_global_size(0) * 10000 + get_global_size(1) * 1000000;
    atomic_inc(count);
}
