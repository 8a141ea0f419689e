struct S { int length; float width; };
int twice(int value) { return value * 2; }
kernel void k(global float *g, int n, float f, float4 v, int4 i) {
  struct S s;
  n = undeclared; // error: use of undeclared identifier 'undeclared'
  n = nothing_like_it(3); // error: implicit declaration of function 'nothing_like_it' is invalid in OpenCL
  n = twicee(3); // error: implicit declaration of function 'twicee' is invalid in OpenCL; did you mean 'twice'?
  n = s.lenght; // error: no member named 'lenght' in 'struct S'; did you mean 'length'?
  n = s->length; // error: member reference type 'struct S' is not a pointer
  v.q = 1; // error: illegal vector component name 'q'
  v.xx = 1; // error: vector is not assignable (contains duplicate components)
  v.xyzwx; // error: vector component access has invalid length 5; supported: 1,2,3,4,8,16
  v.xy.z = 1; // error: vector component access exceeds type 'float2' (vector of 2 'float' values): no component 'z'
  &v.x; // error: address of vector element requested
  *n; // error: indirection requires pointer operand ('int' invalid)
  &3; // error: cannot take the address of an rvalue of type 'int'
  3 = n; // error: expression is not assignable
  n(); // error: called object type 'int' is not a function or function pointer
  twice; // error: taking address of function is not allowed
  twice(1, 2); // error: too many arguments to function call, expected 1, have 2
  twice(); // error: too few arguments to function call, expected 1, have 0
  f % 2; // error: invalid operands to binary expression ('float' and 'int')
  ~f; // error: invalid argument type 'float' to unary expression
  n << i; // error: requested shift is a vector of type 'int4' (vector of 4 'int' values) but the first operand is not a vector ('int')
  g[f]; // error: array subscript is not an integer
  n[n]; // error: subscripted value is not an array, pointer, or vector
  v ? v : v; // error: used type 'float4' (vector of 4 'float' values) where floating point type is not allowed
  n / 0; // warning: division by zero is undefined
  sizeof(struct Unknown); // error: invalid application of 'sizeof' to an incomplete type 'struct Unknown'
  const int fixed = 3;
  fixed = 4; // error: cannot assign to variable 'fixed' with const-qualified type
}
