constant int c = 3;
kernel void k(global int *o, constant int *d) {
  int x = 4;
  int2 v = 0;
  __asm__("" : "=r"(c)); // error: invalid lvalue in asm output
  __asm__("" : "=r"(*d)); // error: invalid lvalue in asm output
  __asm__("" : "=r"(v.xx) : "0"((int2)(8, 9))); // error: invalid lvalue in asm output
  __asm__("" : [a] "=r"(x) : [b] "[c]"(5)); // error: invalid input constraint '[c]' in asm
  __asm__("" : "=r"(x) : "1"(7)); // error: invalid input constraint '1' in asm
  __asm__("" : "=r"(x) : "0"(2), "0"(3)); // error: more than one input constraint matches the same output
  o[0] = x;
}
