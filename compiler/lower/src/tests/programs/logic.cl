int count(int *n, int r) { *n = *n * 3 + 1; return r; }
int test(int x) {
    int n = 0, s = 0;
    if (count(&n, x > 0) && count(&n, x > 1) || count(&n, x == -5)) s |= 1;
    if (!(count(&n, x) || !count(&n, 0)) || x == 3) s |= 2;
    int v = (x > 2) + (x == 4) * 2 + !x * 4 + !!x * 8;
    int w = x && n || 0;
    s |= w << 4;
    s += x > 1 ? count(&n, 100) : x < -1 ? count(&n, 200) : 300;
    s += x > 0 && x < 5 && x != 3 ? 1000 : 0;
    return s * 7 + n * 11 + v * 10000;
}
