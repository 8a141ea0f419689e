// Calls in the condition and the step of loops whose inlined bodies end in places that are never reached.
// RUN: kernel=k global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// EXPECT 0: uint=305,511,415,319,323,423,431,435
// EXPECT: pocl
uint jumps(uint a) {
  uint h = 0;
  int n = 2;
  do {
    h += a;
    {
      if (a == 5) goto skip;
    }
    h++;
  skip:;
  } while (--n > 0 && a);
  return h;
}
uint cases(uint a) {
  switch (a) {
    case 1: return 4;
    case 2: return 5;
    default:
      if (a > 4) return 6;
      else return 9;
  }
}
void stuck(uint a) {
  if (a == 999) for (;;);
}
__kernel void k(__global uint *out) {
  uint id = get_global_id(0), sum = 0;
  int n = 3;
  do {
    sum++;
  } while (--n > 0 && (sum += jumps(id)));
  for (uint i = 0; i < 20; stuck(id), i += cases(id)) sum += 100;
  out[id] = sum;
}
