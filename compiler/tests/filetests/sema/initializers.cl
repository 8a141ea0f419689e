// Brace elision, designators, strings, nested and partial initialisers.
typedef struct { float x, y; } Point;
typedef struct { Point p[2]; char name[4]; union { int i; float f; } u; float4 v; } All;
constant All whole_table = { { { 1, 2 }, { .y = 3 } }, "abc", { .f = 1.0f }, (float4)(1, 2, 3, 4) };
constant All elided = { 1, 2, 3, 4, 'a', 'b', 'c', 0, 5, (float4)(6) };
constant Point points[] = { { 1, 2 }, { .y = 3 }, 5, 6, [5].x = 7, 8 };
typedef char six[sizeof(points) == 6 * sizeof(Point) ? 1 : -1];
constant int ranges[8] = { [0 ... 3] = 1, [6 ... 7] = 2 };
constant int *constant pointer = &ranges[3];
constant char *constant names[] = { "a", "bc", 0 };
constant struct { constant char *name; int value; } table[] = { { "a", 1 }, { "b", 2 } };
constant float4 vectors[2] = { { 1, 2, 3, 4 }, (float4)(1) };
kernel void k(global float *out, int n, Point by_value) {
  Point a = { 1 }, b = a, c[3] = { a, { 1, 2 }, [2].x = n };
  int m[2][2] = { 1, 2, 3, n }, grid[][2] = { { 1 }, { 2, 3 } };
  char s[] = "xyz", t[8] = { "q" };
  float4 v = { 1, 2, (float2)(3, 4) }, w[2] = { v, 2 };
  All whole = { .v = v, .p[1].x = 3, 4, .name = { 'a' } }, copy = whole;
  int scalar = { 3 }, zero[4] = {};
  out[0] = ((Point){ 1, 2 }).y + ({ int local_name = n; local_name + 1; });
}
