struct S { int a; };
kernel void k(global float *g, local int *l, constant float *c, int n, float f, float4 v, int4 i, global int *gi) {
  float a = v; // error: initializing 'float' with an expression of incompatible type 'float4' (vector of 4 'float' values)
  i = v; // error: assigning to 'int4' (vector of 4 'int' values) from incompatible type 'float4' (vector of 4 'float' values)
  v + i; // error: implicit conversions between vector types ('float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)) are not permitted
  i + f; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'float')
  v = (float4)i; // error: invalid conversion between ext-vector type 'float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)
  v = (float4)(1, 2); // error: too few elements in vector initialization (expected 4 elements, have 2)
  v = (float4)(1, 2, 3, 4, 5); // error: excess elements in vector initializer
  global int *p = l; // error: initializing '__global int *' with an expression of type '__local int *' changes address space of pointer
  p = g; // warning: incompatible pointer types assigning '__global float *' to '__global int *'
  const global float *cg = g;
  g = cg; // warning: assigning 'const __global float *' to '__global float *' discards qualifiers
  global uint *gu = gi; // warning: initializing '__global unsigned int *' with an expression of type '__global int *' converts between pointers to integer types with different sign
  p = 3; // error: incompatible integer to pointer conversion assigning 'int' to '__global int *'
  n = p; // error: incompatible pointer to integer conversion assigning '__global int *' to 'int'
  p = (global int *)l; // error: casting '__local int *' to type '__global int *' changes address space of pointer
  p = n ? gi : l; // error: conditional operator with the second and third operands of type ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
  f = (float)gi; // error: pointer cannot be cast to type 'float'
  struct S s;
  s = 3; // error: assigning to 'struct S' from incompatible type 'int'
  n = (int)s; // error: operand of type 'struct S' where arithmetic or pointer type is required
  n = as_int(v); // error: invalid reinterpretation: sizes of 'int' and 'float4' (vector of 4 'float' values) must match
  c[0] = 1; // error: read-only variable is not assignable
  int once = v; int use = once + once; // error: initializing 'int' with an expression of incompatible type 'float4' (vector of 4 'float' values)
}
