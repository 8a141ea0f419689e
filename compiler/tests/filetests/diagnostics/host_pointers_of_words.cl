// options: --addressing=logical
// clang: not asked, since it knows no logical addressing
// An address may come as two words. An integer of 32 bits is none.
kernel void k(global int *out, uint low, uint high, int narrow) {
  global int *p = (global int *)((ulong)high << 32 | low), *q = (global int *)(narrow + 1);
  if (low < 100)
    q = out + low;
  out[0] = *p; // error: with logical addressing, the host cannot store pointers in buffers, and no kernel of this program stores the one that is used here: pass the buffer as an argument and store an index, or use '--addressing physical64'
  *q = 7;
}
// ---
// error: with logical addressing, the host cannot store pointers in buffers, and no kernel of this program stores the one that is used here: pass the buffer as an argument and store an index, or use '--addressing physical64'
//  --> test.cl:8:12
//   |
// 8 |   out[0] = *p;
//   |            ^^
