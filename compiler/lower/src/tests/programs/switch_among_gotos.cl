int test(int x) {
    int n = 0, k = 0;
    bool other = x != 3;
    for (int i = 0; i < 1; i++) {
again:
        if (++n > 40) return -1;
        if (x * 5 == 10) continue;
        switch (x) {
        case 5: { if (n * 2 == 3) goto again; }
        }
        switch (other) {
        case 0: {
            if (x + n == 7) continue;
            for (k = 0; k < 2; k++) n += 100;
        }
        }
    }
    return n * 100 + k;
}
