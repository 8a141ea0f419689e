int test(int n) {
    int s = 0, i = n;
    if (n & 1) goto inside;
    while (i < 20) {
        s += 10;
inside:
        s += i;
        i += 3;
        switch (s % 4) {
        case 0: continue;
        case 1: s += 2; break;
        case 3: if (s > 50) goto done;
        default: s++;
        }
        do {
            s++;
            if (s > 90) goto done;
        } while (s % 3);
    }
    s = -s;
done:
    return s * 100 + i;
}
