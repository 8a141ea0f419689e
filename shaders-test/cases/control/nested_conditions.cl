// Deep if-else chains with shared variables and dangling else.
// RUN: kernel=k global=32
// ARG: buffer:bytes=128
// EXPECT: pocl
kernel void k(global int *out)
{
    const int x = get_global_id(0);
    int r = 0;
    if (x & 1)
        if (x & 2)
            if (x & 4) r = 1;
            else r = 2;
        else if (x & 8) { r = 3; if (x & 16) r *= 10; else r -= 7; }
        else r = 4;
    else {
        if (!(x & 2)) { r = x; }
        else if (x > 20) { int r2 = r; r2 += x; r = r2 - 1; }
        if (r) r++; else r--;
    }
    out[x] = r;
}
