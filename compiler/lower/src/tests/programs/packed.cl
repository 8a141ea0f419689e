struct __attribute__((packed)) P { char c; int a[3]; long l; struct { char x; short y; } in; };
struct __attribute__((packed)) Q { char tag; struct P p[2]; };
int test(int x) {
    struct Q q;
    q.tag = 1;
    for (int i = 0; i < 2; i++) {
        q.p[i].c = (char)i;
        for (int j = 0; j < 3; j++) q.p[i].a[j] = x * i + j;
        q.p[i].l = (long)x * 1000000007L;
        q.p[i].in.y = (short)(x - i);
    }
    struct Q r = q;
    r.p[0].a[x & 1] += 50;
    int s = 0;
    for (int i = 0; i < 2; i++)
        s += r.p[i].c + r.p[i].a[0] * 3 + r.p[i].a[1] * 5 + r.p[i].a[2] * 7 + (int)(r.p[i].l % 1009) + r.p[i].in.y * 11;
    return s * 100 + (int)sizeof(struct Q);
}
