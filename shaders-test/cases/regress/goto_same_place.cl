// Both ways of a condition, or a case and the end of a switch, lead to the same place.
// RUN: kernel=k global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// EXPECT 0: uint=100,101,102,103,104,105,106,107
// EXPECT: pocl
__kernel void k(__global uint *out) {
  uint id = get_global_id(0), result = id;
  {
    if (id & 1) goto both;
  }
both:
  switch (id) {
    case 2: goto after;
    case 3: { case 4: break; }
  }
after:
  for (uint i = 0; i < 4; i++) {
    if (id > i) goto next;
  next:
    result += 25;
  }
  out[id] = result;
}
