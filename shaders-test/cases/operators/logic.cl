// Short-circuit evaluation: what must not be evaluated has no effect; results are 0 or 1.
// RUN: kernel=k global=4
// ARG: buffer:int=0,1,2,0
// ARG: buffer:bytes=64
// EXPECT 1: int=0,1,1,0,1,1,0,0,1,2,0,0,1,0,0,0
int bump(int *count, int result)
{
    ++*count;
    return result;
}
kernel void k(global const int *in, global int *out)
{
    const int i = get_global_id(0), x = in[i];
    int n = 0;
    int both = bump(&n, x == 2) && bump(&n, x) && bump(&n, 0);
    if (i == 0) out[0] = both, out[1] = n;
    int m = 0;
    int either = x == 2 || bump(&m, x == 1) || (x && bump(&m, 7));
    if (i == 0) out[2] = m, out[3] = either;
    if (i == 1) out[4] = either, out[5] = m, out[6] = both, out[7] = n - 1;
    if (i == 2) out[8] = either, out[9] = n - 1, out[10] = m, out[11] = both;
    int p = 3;
    (void)(x ? p++ : p--);
    if (i == 3) out[12] = p == 2, out[13] = !!x, out[14] = either, out[15] = both;
}
