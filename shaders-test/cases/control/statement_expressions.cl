// Jumps out of statement expressions, as error handling macros have them, in every place that has expressions.
// RUN: kernel=k global=1
// ARG: buffer:bytes=400
// ARG: buffer:float=0.5,2,-3,4,5,6
// EXPECT: pocl
#define TRY(e) ({ int r_ = (e); if (r_ < 0) return r_; r_; })
#define CHECK(c, l) ((void)({ if (!(c)) goto l; 0; }))
#define MAXV(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define FOREACH(i, n) for (int i = ({ int s_ = 0; s_; }); ({ if (i >= (n)) break; 1; }); ({ i++; }))
int half_of(int x) { return x & 1 ? -x : x / 2; }
int chain(int x) { int a = TRY(half_of(x)); int b = TRY(half_of(a)) + TRY(half_of(a + 2)); return a * 100 + b; }
struct state { int pos; float acc; uchar buf[6]; };
int parse(struct state *s, int len) {
  int depth = 0;
  while (1) {
    CHECK(s->pos < len, out);
    switch (s->buf[s->pos++ % 6]) {
      case '(': depth++; CHECK(depth < 3, bad); continue;
      case ')': if (--depth < 0) goto bad; break;
      case ' ': { int k = ({ if (depth > 1) break; 5; }); s->acc += k; } continue;
      default: s->acc += MAXV(depth, 1); if (({ int q = s->pos; q == 9 ? ({ goto early; 1; }) : q > 100; })) return 7;
    }
    s->acc *= 1.5f;
  }
early: s->acc += 1000;
out: return depth;
bad: return -depth - 100;
}
int loops(int n) {
  int t = 0;
  FOREACH(i, n) { FOREACH(j, i) { if (j == 3) goto next; t += j; CHECK(t < 200, done); } next: t += i; }
done: return t;
}
int sw(int x) {
  int r = 0;
  for (int i = 0; i < 6; i++) {
    switch (({ if (i == x) continue; if (i == x + 2) goto fin; i; })) {
      case 0: r += 1; if (({ if (x == 4) break; x > 2; })) case 3: r += 10;
      default: r += 100; break;
      case 2: r += ({ if (x == 0) goto fin; 1000; });
    }
    do { r++; if (({ if (r % 3 == 0) continue; r > 5000; })) break; } while (r % 5 && ({ if (r == 1234) goto fin; 1; }));
  }
  return r;
fin: return -r;
}
kernel void k(global int *o, global const float *in) {
  int at = 0;
  for (int x = 4; x < 16; x += 2) o[at++] = chain(x);
  for (int v = 0; v < 6; v++) { struct state s = { 0, in[v], { "ab( )" } }; if (v == 1) s.buf[1] = '('; if (v == 2) s.buf[2] = ')'; if (v == 3) s.buf[0] = '(', s.buf[1] = '('; if (v > 3) s.buf[5] = ' '; o[at++] = parse(&s, 4 + v * 2); o[at++] = (int)(s.acc * 16); o[at++] = s.pos; }
  for (int n = 0; n < 14; n += 2) o[at++] = loops(n);
  for (int x = -2; x < 7; x++) o[at++] = sw(x);
}
