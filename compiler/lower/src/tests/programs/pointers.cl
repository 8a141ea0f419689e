int test(int x) {
    int a[10]; int *p = a + 9, *q = &a[2];
    for (int i = 0; i < 10; i++) a[i] = i * i;
    int s = *p + *(p - 3) + p[-2] + (int)(p - q) * 100 + (p > q) * 7 + (q == a + 2);
    p -= 4; ++p; p--; q += x & 3;
    s += *p * 3 + *q++ * 5 + *q;
    unsigned u = 2; char c = -1; long l = 3;
    s += q[c] + a[u] * 2 + a[l - 1 + 2] + *(a + u + 1) + a[x - x + 4];
    int **pp = &p; **pp = 1000; s += a[5];
    int m[3][4]; for (int i = 0; i < 12; i++) (&m[0][0])[i] = i + x;
    int (*row)[4] = m + 1; s += (*row)[2] + row[1][3] + (int)(&m[2] - m) * 10000;
    struct { char c[3]; int k; } t[4], *tp = t + 3; tp->k = 5; tp[-1].k = 6;
    s += t[3].k + t[2].k + (int)(tp - t) + (p ? 1 : 0) + !q;
    unsigned long bits = (unsigned long)p; s += (int *)bits == p;
    return s;
}
