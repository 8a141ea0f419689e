// options: -cl-std=CL2.0 -Wconversion -Wdouble-promotion -Wsign-compare
// Implicit conversions that may change a value, and comparisons of integers of different signs. The warnings are clang 15's.
kernel void floats(global float *f, global double *d, global half *h, global int *o, float x, double y, int i) {
  f[0] = x * 2.0; // warning: implicit conversion increases floating-point precision: 'float' to 'double' // warning: implicit conversion loses floating-point precision: 'double' to 'float'
  f[0] = x * 2.0f;
  f[0] = y; // warning: implicit conversion loses floating-point precision: 'double' to 'float'
  f[0] = 0.1; // warning: implicit conversion loses floating-point precision: 'double' to 'float'
  f[0] = 0.5;
  f[0] *= 2.0; // warning: implicit conversion when assigning computation result loses floating-point precision: 'double' to 'float'
  f[0] += y; // warning: implicit conversion when assigning computation result loses floating-point precision: 'double' to 'float'
  f[0] -= x;
  d[0] = x; // warning: implicit conversion increases floating-point precision: 'float' to 'double'
  d[0] = y * x; // warning: implicit conversion increases floating-point precision: 'float' to 'double'
  d[0] = 1.0f; // warning: implicit conversion increases floating-point precision: 'float' to 'double'
  o[0] = x > 2.0; // warning: implicit conversion increases floating-point precision: 'float' to 'double'
  o[0] = x == 0.5; // warning: implicit conversion increases floating-point precision: 'float' to 'double'
  o[0] = x; // warning: implicit conversion turns floating-point number into integer: 'float' to 'int'
  o[0] = round(x); // warning: implicit conversion turns floating-point number into integer: 'float' to 'int'
  o[0] = (int)x;
  o[0] += 1.5f; // warning: implicit conversion turns floating-point number into integer: 'float' to 'int'
  o[0] *= y; // warning: implicit conversion turns floating-point number into integer: 'double' to 'int'
  f[0] = sqrt(y); // warning: implicit conversion loses floating-point precision: 'double' to 'float'
  f[0] = native_exp(i); // warning: implicit conversion from 'int' to 'float' may lose precision
  f[0] = pow(x, 2);
  f[0] = (float)y;
  bool b = x; // warning: implicit conversion turns floating-point number into integer: 'float' to 'bool'
  o[0] = b;
}
kernel void integers(global int *o, global uint *u, global long *l, global short *s, global uchar *c, int n, ulong g) {
  s[0] = n; // warning: implicit conversion loses integer precision: 'int' to 'short'
  s[0] = s[1] + s[2];
  s[0] = n & 255;
  s[0] = n & -256; // warning: implicit conversion loses integer precision: 'int' to 'short'
  s[0] = n >> 20;
  s[0] = n / 70000;
  s[0] = n % 100;
  s[0] = -s[1];
  s[0] = 1 << n; // warning: implicit conversion loses integer precision: 'int' to 'short'
  s[0] = (int)s[1]; // warning: implicit conversion loses integer precision: 'int' to 'short'
  s[0] = n > 3;
  s[0] = n ? s[1] : s[2];
  s[0] += n;
  c[0] = s[0]; // warning: implicit conversion loses integer precision: 'short' to 'unsigned char'
  c[0] = c[1] * 2;
  c[0] |= n;
  o[0] = l[0]; // warning: implicit conversion loses integer precision: 'long' to 'int'
  o[0] = g * 4; // warning: implicit conversion loses integer precision: 'unsigned long' to 'int'
  o[0] = (int)l[0];
  o[0] = get_global_id(0); // warning: implicit conversion loses integer precision: 'unsigned long' to 'int'
  u[0] = l[0]; // warning: implicit conversion loses integer precision: 'long' to 'unsigned int'
  u[0] = n; // warning: implicit conversion changes signedness: 'int' to 'unsigned int'
  u[0] = u[1] + n; // warning: implicit conversion changes signedness: 'int' to 'unsigned int'
  u[0] += n; // warning: implicit conversion changes signedness: 'int' to 'unsigned int'
  u[0] = -1; // warning: implicit conversion changes signedness: 'int' to 'unsigned int'
  u[0] = c[0];
  u[0] = n & 255;
  o[0] = u[0]; // warning: implicit conversion changes signedness: 'unsigned int' to 'int'
  o[0] = u[0] >> 1;
  o[0] = abs(n); // warning: implicit conversion changes signedness: 'unsigned int' to 'int'
  o[0] = n ? u[0] : n; // warning: operand of ? changes signedness: 'unsigned int' to 'int'
  o[u[0]] = o[l[0]];
  l[0] = u[0];
  l[0] = n * n;
  g = n; // warning: implicit conversion changes signedness: 'int' to 'unsigned long'
  int q = g; // warning: implicit conversion loses integer precision: 'unsigned long' to 'int'
  uint w = n, v = 3; // warning: implicit conversion changes signedness: 'int' to 'unsigned int'
  o[0] = q + (w > v);
}
kernel void to_floats(global float *f, global double *d, int i, long l, short s, uint u) {
  f[0] = i; // warning: implicit conversion from 'int' to 'float' may lose precision
  f[0] = u; // warning: implicit conversion from 'unsigned int' to 'float' may lose precision
  f[0] = s;
  f[0] = l; // warning: implicit conversion from 'long' to 'float' may lose precision
  f[0] = i & 255;
  f[0] = (float)i;
  f[0] = 16777217; // warning: implicit conversion from 'int' to 'float' changes value from 16777217 to 16777216
  d[0] = i;
  d[0] = l; // warning: implicit conversion from 'long' to 'double' may lose precision
  f[0] = f[1] * i; // warning: implicit conversion from 'int' to 'float' may lose precision
}
kernel void comparisons(global int *o, global uint *u, size_t g, int n, uchar c) { // error: 'size_t' cannot be used as the type of a kernel parameter
  if (n < u[0]) o[0] = 1; // warning: comparison of integers of different signs: 'int' and 'unsigned int'
  if (u[0] == n) o[0] = 1; // warning: comparison of integers of different signs: 'unsigned int' and 'int'
  if (u[0] > 5) o[0] = 1;
  if (n == 5u) o[0] = 1;
  if (n < 5u) o[0] = 1; // warning: comparison of integers of different signs: 'int' and 'unsigned int'
  if (g < n) o[0] = 1; // warning: comparison of integers of different signs: 'unsigned long' and 'int'
  if (c < n) o[0] = 1;
  if ((n & 7) < u[0]) o[0] = 1;
  if ((uint)n < u[0]) o[0] = 1;
  for (uint j = 0; j < n; j++) u[j] = j; // warning: comparison of integers of different signs: 'unsigned int' and 'int'
}
int narrowed(long a) { return a; } // warning: implicit conversion loses integer precision: 'long' to 'int'
float less_precise(double a) { return a; } // warning: implicit conversion loses floating-point precision: 'double' to 'float'
double more_precise(float a) { return a; } // warning: implicit conversion increases floating-point precision: 'float' to 'double'
uint without_sign(int a) { return a; } // warning: implicit conversion changes signedness: 'int' to 'unsigned int'
void take(short a);
void take_unsigned(uint u);
void pass(int a, long b) {
  take(a); // warning: implicit conversion loses integer precision: 'int' to 'short'
  take_unsigned(a); // warning: implicit conversion changes signedness: 'int' to 'unsigned int'
  take_unsigned(b); // warning: implicit conversion loses integer precision: 'long' to 'unsigned int'
  take(3);
}
