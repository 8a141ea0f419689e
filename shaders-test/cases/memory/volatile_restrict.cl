// Qualifiers in every place where they may stand.
// RUN: kernel=k global=4
// ARG: buffer:int=1,2,3,4
// ARG: buffer:bytes=16
// EXPECT 1: int=3,5,7,9
kernel void k(const global int *restrict const a, volatile global int *b)
{
    const size_t i = get_global_id(0);
    int const volatile twice = a[i] * 2;
    int const r = twice;
    b[i] = r;
    b[i] += 1;
}
