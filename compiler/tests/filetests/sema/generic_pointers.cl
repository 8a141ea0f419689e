// -cl-std=CL2.0
global int counter = 3;
int uninitialised;
static global float *global cell;
int *anywhere;
int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
kernel void k(global int *g, local int *l, int n, global int *global *pp) {
  int p[3] = { 1, 2, 3 };
  static int calls = 0;
  calls++;
  g[0] = sum(g, n) + sum(l, n) + sum(p, 3) + **pp;
  int *q = g;
  q = l;
  anywhere = &g[1];
  global int *back = (global int *)q;
  bool same = q == g;
}
