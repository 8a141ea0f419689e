int helper(int x) { while (1) { if (x > 100) return x; x = x * 2 + 1; } }
int never(int x) { for (;;) { do { x += 3; if (x > 50) return x; } while (1); } }
int test(int x) {
    int s = 0, i;
    for (i = 0; i < 10; ++i) {
        if (i == x) continue;
        if (i * x > 40) break;
        s += i;
    }
    do { s++; } while (0);
    do { if (s & 1) break; s += 1000; } while (0);
    do { s--; if (s % 5 == 0) continue; s -= 2; } while (s > 30);
    int j = 0;
    while (j < 3) { int k = 0; do { k++; if (k == 2 && j == 1) break; s += k; } while (k < 3); j++; }
    while (x > 1000) { s = 0; break; }
    return s * 1000 + i + helper(x > 0 ? x : 1) + never(x);
}
