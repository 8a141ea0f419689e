int test(int x) {
    int s = 0;
    for (int i = 0; i < 6; i++) {
        switch (x + i) {
            s = 12345;
        case -2:
        case 3 ... 5:
            s += 1;
            if (i == 4) break;
        default:
            s += 10;
            { case 7: s += 100; }
            if (i & 1) continue;
            break;
        case 100 ... 1000000:
            s += 7;
            break;
        case 8: {
            int t = s;
            switch (t & 1) { case 0: s += 3; break; case 1: return -s; }
            continue;
        }
        }
        s *= 2;
    }
    return s;
}
