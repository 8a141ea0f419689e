// Arguments of clang's hints are evaluated, and an object that inline assembly has in memory keeps its value.
// RUN: kernel=k global=1
// ARG: buffer:int=0,0,0,0,0
// EXPECT 0: int=1,1,5,9,1
kernel void k(global int *out) {
  int calls = 0, x = 1;
  out[0] = __builtin_expect(x, calls++);
  out[1] = calls;
  int kept = 5;
  __asm__("" : "=m"(kept) : "m"(kept));
  out[2] = kept;
  int tied = 0;
  __asm__("" : "=r"(tied) : "0"(9));
  out[3] = tied;
  out[4] = __builtin_expect(x == 1, 1);
}
