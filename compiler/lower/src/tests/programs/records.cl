struct inner { char c; short h[3]; };
struct S { int a; struct inner in; long l; unsigned char tail; };
union U { int i; char c[4]; short h; };
struct big { int v[100]; char c; };
struct S make(int a) { struct S s = { a, { (char)(a + 1), { 1, 2, a } }, (long)a << 33 }; s.tail = 9; return s; }
struct S change(struct S s) { s.a += 5; s.in.h[1] = 77; return s; }
int sum(struct S s) { return s.a + s.in.c * 2 + s.in.h[0] + s.in.h[1] * 3 + s.in.h[2] * 5 + (int)(s.l >> 32) + s.tail; }
struct big fill(int n) { struct big b; for (int i = 0; i < 100; i++) b.v[i] = i * n; b.c = 3; return b; }
struct S swap_first(struct S *p) { struct S r = *p; p->a = -1; r.in.h[2] = (short)p->a; return r; }
int test(int x) {
    struct S a = make(x), b, c;
    b = c = change(a);
    c.a = 1000;
    struct S d = x > 3 ? a : b;
    a = swap_first(&a);
    union U u; u.i = 0x01020304; u.c[1] = (char)x;
    union U u2 = u;
    struct big g = fill(x), h;
    h = g;
    g.v[99] = 0;
    struct S arr[3] = { [1] = { .in.h = { [2] = 4 }, .a = x }, [0].l = 1L << 40 };
    arr[2] = arr[1];
    return sum(a) + sum(b) * 3 + sum(c) * 7 + sum(d) * 11 + sum(change(make(x))) + u2.i + u2.h + h.v[99] + g.v[99] + h.c
        + sum(arr[0]) + sum(arr[2]) * 13 + ((x & 1) ? make(1) : make(2)).in.c + (*(&arr[1])).in.h[2];
}
