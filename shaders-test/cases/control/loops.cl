// for, while, do; break and continue at every level.
// RUN: kernel=k global=8
// ARG: buffer:bytes=160
// EXPECT: pocl
kernel void k(global int *out)
{
    const int n = get_global_id(0);
    int a = 0, b = 0, c = 0, d = 0, e = 0;
    for (int i = 0; i < n; ++i) {
        if (i == 2) continue;
        if (i == 6) break;
        a += i + 1;
    }
    int i = n;
    while (i--) {
        if (i & 1) continue;
        b += i;
    }
    do {
        if (c > 20) break;
        c += 3;
        if (c % 2) continue;
        c++;
    } while (c < n * 4);
    for (int y = 0; y < n; y++) {
        int x = 0;
        for (;;) {
            if (x > y) break;
            if ((x ^ y) == 3) { x += 2; continue; }
            int z = 0;
            do { d += z; if (d > 500) break; } while (++z < x);
            x++;
        }
        if (d > 100) break;
    }
    for (int p = 1, q = n; p < q; p *= 2, q--) e = e * 10 + p;
    global int *o = out + n * 5;
    o[0] = a; o[1] = b; o[2] = c; o[3] = d; o[4] = e;
}
