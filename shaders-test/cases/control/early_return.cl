// Returns from inside nested loops and branches, in helper functions and in the kernel.
// RUN: kernel=k global=16
// ARG: buffer:int=5,3,9,1,7,2,8,6,4,0
// ARG: buffer:int=-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1
// EXPECT 1: int=9,3,5,1,8,0,7,4,6,2,10,11,-1,-1,-1,-1
int find(global const int *v, int n, int what)
{
    for (int i = 0; i < n; i++)
        if (v[i] == what)
            return i;
    return n;
}
int classify(int x)
{
    if (x > 11) return -2;
    while (1) {
        if (x == 10) return 10;
        if (x == 11) break;
        for (int k = 0;; k++)
            if (k == x) return 0;
    }
    return 11;
}
kernel void k(global const int *v, global int *out)
{
    const int i = get_global_id(0);
    const int c = classify(i);
    if (c < 0)
        return;
    if (c) {
        out[i] = c;
        return;
    }
    out[i] = find(v, 10, i);
}
