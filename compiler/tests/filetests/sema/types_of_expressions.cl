// Each line compiles only if the expression has the type that clang gives it.
int __attribute__((overloadable)) is_int(int x) { return 1; }
struct Other { int i; };
struct Other __attribute__((overloadable)) is_int(uint x) { struct Other o = { 1 }; return o; }
void check(float4 v, int4 i, uint u, long l, char c, ulong ul, double4 d, short4 s, uchar4 b, half h) {
  int r = is_int(c + c);
  r = is_int(c ? c : c);
  r = is_int(v.x < v.y);
  r = is_int(!u);
  r = is_int(u && l);
  r = is_int((char)1 << 3l);
  int4 t = v > v;
  t = !v;
  t = v && v;
  t = i == 3;
  long4 t8 = d < 1.0;
  short4 t2 = s != s;
  char4 t1 = b >= b;
  t1 = !b;
  t1 = t1 ? c : c;
  t1 = b > b ? (char)1 : (char)-1;
  v = i ? v : 1.0f;
  v = (u > 3) ? v : (float4)(0);
  v = v * 2 + h;
  v = i.x ? v : 0;
  float3 x = v.xyz + v.s012 * v.w;
  x.zy = v.lo + v.hi.yx - v.even.s1 * v.odd;
  v.s3 = (v + v).s0;
  v[3] = v[u] + (float4)(1, 2, 3, 4)[l];
  uint4 w = as_uint4(v) << 3;
  w = w >> i;
  w += u;
  i <<= 2;
  b = (uchar4)(1) & (uchar)15;
  float8 e = (float8)(v, v.xy, 1, 2);
  float16 f = { e, e };
  float3 g = (float3)(f.sabc);
  v = (float4)(g, 1);
  ul = l + ul;
  long m = &v - &v;
}
