// RUN: kernel=k global=1
// ARG: buffer:int=0,1,2,3,4,5,6,7
// ARG: buffer:bytes=104
// EXPECT 1: int=-10,2600,2711,-13,2501,-15,2511,994,912,-1417,40,702,111,334,10,1003,26,22165,34145,46155,58165,122,6,51,138,67

// Leaves the function's middle from inside of an expression that is half evaluated.
#define TRY(value) ({ int v_ = (value); if (v_ < 0) goto failed; v_; })

int checked(int a, int b, int limit) {
    int sum = 0;
    for (int i = 0; i < limit; i++) {
        sum += TRY(a - i) * 100 + TRY(b - 2 * i);
        if (sum > 5000) return -2;
    }
    return sum;
failed:
    return -1 - sum;
}

int backward(int n) {
    int count = 0;
again:
    count += 10 * ({ if (n-- > 5) goto again; n; });
    return count;
}

// Labels and jumps in the expression, and jumps out of it.
int both(int x, int y) {
    int steps = 0;
    int r = 5 + ({
        int z = x;
    more:
        steps++;
        for (int j = 0; j < 3; j++) {
            if (z == 7) goto seven;
            z += ({ if (z == 9) goto nine; if (z > y) goto out; 2; });
        }
        if (steps < 4) goto more;
        goto out;
    nine:
        z = 90;
    out:
        z;
    });
    return r * 10 + steps;
seven:
    return 700 + steps;
}

int nested(int x) {
    int v = 1;
    v += ({ v *= 3; int q = ({ if (x == 1) goto one; if (x == 2) goto two; 4; }); if (0) { two: q = 20; } q + v; });
    return v;
one:
    return v + 1000;
}

int in_conditions(int x) {
    int n = 0;
    if (({ if (x == 0) goto zero; x > 1; }) && ({ n++; if (x == 3) goto three; x != 4; })) n += 10;
    switch (({ if (x == 5) goto five; x; })) {
    case 1: n += 100; break;
    case 2: n += 200;
    default: n += ({ if (x == 6) break; 1; }) * 1000;
    }
    while (({ if (n > 3000) break; if (x == 7) goto seven; n < 2500; })) n += 500;
    return n;
zero: return -10;
three: return -13;
five: return -15;
seven: return n - 17;
}

int in_steps(int x) {
    int n = 0;
    for (int i = 0;; ({ if (i++ > x) break; n += 2; })) n += 10;
    int m = 0;
    do m++; while (({ if (m == 3) { m = 4; continue; } if (m > x + 5) break; 1; }) && m != 3 + x);
    for (int i = 0;; ({ if (i++ == 4) return n * 1000 + m * 10 + i; })) m += i;
}

// The value of an expression may jump to a label before it.
int value_jumps(int x) {
    return ({ int i = x; again: i += 3; ({ if (i < 20) goto again; i; }) + 100; });
}

struct pair { int a; float b; };
struct pair make(int x) { struct pair p = {x, x * 2.0f}; return p; }

int records(int x) {
    struct pair p = {1, 2};
    p = ({ struct pair q = make(x); if (q.a > 3) goto big; q; });
    return p.a + (int)p.b;
big:
    return 50 + p.a;
}

int loops(int x) {
    int n = 0;
    for (int i = 0; i < 10; i++) {
        n += ({ int y = i; if (y == x) goto skip; while (y > 3) { y -= 2; if (y == x) { skip: y = 40; break; } } if (y == 2) continue; y; });
        for (int j = 0; j < i; j++)
            n += ({ int t = 0; redo: t++; if (t < j) goto redo; if (t + n == 120) break; if (j == 7) goto done; t & 1; });
    }
done:
    return n;
}

kernel void k(global int *in, global int *out) {
    int at = 0;
    for (int x = 0; x < 8; x++) out[at++] = in_conditions(in[x]);
    out[at++] = checked(in[5], in[7], in[2]);
    out[at++] = checked(in[5], in[7], in[7]);
    out[at++] = backward(in[7]);
    out[at++] = both(in[1], in[7] + 20);
    out[at++] = both(in[2], in[5]);
    out[at++] = both(in[4], in[7] + 30);
    out[at++] = nested(in[0]);
    out[at++] = nested(in[1]);
    out[at++] = nested(in[2]);
    for (int x = 0; x < 4; x++) out[at++] = in_steps(in[x]);
    out[at++] = value_jumps(in[4]);
    out[at++] = records(in[2]);
    out[at++] = records(in[6]);
    out[at++] = loops(in[5]);
    out[at++] = loops(in[0]);
}
