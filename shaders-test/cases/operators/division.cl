// Signed division truncates, the remainder has the dividend's sign.
// RUN: kernel=k global=6
// ARG: buffer:int=7,-7,7,-7,1,-2147483647
// ARG: buffer:int=4,4,-4,-4,-3,10
// ARG: buffer:bytes=72
// EXPECT 2: int=1,-1,-1,1,0,-214748364,3,-3,3,-3,1,-7,1,1073741822,0,0,0,214748364
kernel void k(global const int *a, global const int *b, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i] / b[i];
    out[6 + i] = a[i] % b[i];
    out[12 + i] = (uint)a[i] / (uint)b[i];
}
