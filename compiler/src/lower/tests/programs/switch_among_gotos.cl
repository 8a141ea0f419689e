int test(int x) {
    int s = x, n = 0;
    unsigned char bits = (unsigned char)x;
    for (int i = 0; i < 2; i++) {
        if (++n > 60) break;
again:
        if (++n > 40) return s ^ 77;
        s = s * 3 + i;
        if (x == 2) continue;
        switch (x & 7) {
        case 5: { if ((s & 3) == 1) goto again; }
        }
        switch (bits > 3) {
        case 0: {
            if (s & 1) continue;
            for (int k = 0; k < 2; k++) s += 1000;
        }
        }
        s += 7;
    }
    return s * 100 + n;
}
