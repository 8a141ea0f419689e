// Arithmetic with a constant that is not a number has a result that is none, whatever the other operand is. NVIDIA's
// driver 580.159.04 takes a product with one for a number. Expected values by hand.
// RUN: kernel=products global=1
// ARG: buffer:uint=0,0,0,0,0
// ARG: int=0
// EXPECT 0: uint=1,1,1,1,1
// RUN: kernel=vectors global=1
// ARG: buffer:uint=0,0,0,0
// ARG: float=2
// EXPECT 0: uint=1,1,1,1
kernel void products(global uint *out, int zero) {
  float x = INFINITY - (zero ? 0.0f : -1e30f);
  float values[5] = {x * (NAN + INFINITY), NAN * x, x - NAN, NAN / x, x + NAN};
  for (int i = 0; i < 5; i++) out[i] = values[i] != values[i];
}
kernel void vectors(global uint *out, float x) {
  int4 unordered = isnan((float4)(x, 1.0f, INFINITY, -0.0f) * (float4)NAN);
  vstore4(convert_uint4(-unordered), 0, out);
}
