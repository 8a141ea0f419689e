// Fall through, default in the middle, returns and continue inside, negative and character labels, nested switches.
// RUN: kernel=k global=12
// ARG: buffer:bytes=192
// EXPECT: pocl
int word(int x)
{
    int r = 0;
    switch (x) {
    case 0:
        r += 1;
    case 1:
        r += 10;
        break;
    default:
        r += 100;
    case 3:
    case 4:
        r += 1000;
        if (x == 4) return -r;
        break;
    case -1:
        return 5;
    case 'A' - 60: {
        int y = x * 2;
        r = y;
        break;
    }
    }
    return r;
}
kernel void k(global int *out)
{
    const int n = get_global_id(0) - 1;
    int loop = 0, odd = 0;
    for (int i = 0; i < 8; i++) {
        switch (i & 3) {
        case 0: continue;
        case 1: loop += n; break;
        case 2:
            switch (n) { case 2: loop += 100; break; case 3: loop += 200; }
            break;
        default: if (i > 5) break; loop++;
        }
        odd += i;
    }
    uchar c = (uchar)n;
    switch (c) { case 255: odd = -odd; }
    switch (n) default: loop *= 2;
    global int *o = out + get_global_id(0) * 4;
    o[0] = word(n); o[1] = loop; o[2] = odd; o[3] = 0;
    switch ((long)n + 0x100000000L) { case 0x100000002L: o[3] = 1; break; case 2: o[3] = 2; }
}
