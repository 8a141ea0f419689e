int test(int n) {
    int i = 0, s = 0;
    if (n > 5) goto middle;
top:
    s += i;
middle:
    i++;
    if (i < n) goto top;
    if (s == 3) { s = 100; goto out; }
    for (int k = 1; k < 10; k++) {
        for (int j = 1; j < 10; j++) {
            if (j == 7) continue;
            if (k * j == n) { s += k * 1000 + j * 100; goto out; }
            if (j > k) break;
        }
    }
    s -= 7;
out:
    return s;
}
