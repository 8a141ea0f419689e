// A loop of constant length over a private array, then barriers, then a call of a function that is not to be inlined.
// RUN: kernel=calls global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// EXPECT 0: uint=2439233532,1474846344,3312764059,1140988531,4185867006,4289033722,3689418248,1674553018
// EXPECT: pocl
// RUN: kernel=calls_through_another global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// EXPECT 0: uint=1495586276,76922348,706367080,1929267664,3277890020,4237945044,939608032,816915296
// EXPECT: pocl
uint mix(uint h, uint v) { return (h ^ v) * 0x9e3779b1u; }

__attribute__((noinline)) uint shifted(uint h, uint v) { return mix(h, v) >> 7; }

__attribute__((noinline)) uint through(uint h) { return shifted(h, 5) ^ 9; }

uint hash(uint seed, uint i) {
  uint array[4], h = 0;
  for (int k = 0; k < 4; k++) array[k] = seed + i * k;
  for (int k = 0; k < 4; k++) h = mix(h, array[k]);
  return h;
}

__kernel void calls(__global uint *out) {
  uint i = get_local_id(0);
  __local uint exchanged[8];
  uint h = hash(1000 + i, i);
  exchanged[i] = h;
  barrier(CLK_LOCAL_MEM_FENCE);
  h = mix(h, exchanged[(i + 3) % 8]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = h + shifted(h, i);
}

__kernel void calls_through_another(__global uint *out) {
  uint i = get_local_id(0);
  __local uint exchanged[8];
  uint h = hash(2000 + i, i);
  exchanged[i] = h;
  barrier(CLK_LOCAL_MEM_FENCE);
  h = mix(h, exchanged[(i + 1) % 8]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (h & 1) h += through(h);
  out[i] = h;
}
