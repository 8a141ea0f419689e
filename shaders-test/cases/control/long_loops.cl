// Loops of more than 65,535 iterations: lavapipe before Mesa 25 counts the turns of loops and gives up after so many.
// RUN: kernel=long_loop global=8 local=8
// ARG: buffer:uint=0..8
// EXPECT 0: uint=200000,200000,200000,200000,200000,200000,200000,200000
// RUN: kernel=nest global=4
// ARG: buffer:uint=0..4
// ARG: int=300
// EXPECT 0: uint=90000,90000,90000,90000
// RUN: kernel=skipping global=4
// ARG: buffer:uint=0..4
// ARG: int=120000
// EXPECT 0: uint=80000,80001,80001,70003
// RUN: kernel=collatz global=4
// ARG: buffer:uint=0,0,0,0
// ARG: int=3000
// EXPECT 0: uint=215015,215015,215015,215015
// RUN: kernel=hinted global=4
// ARG: buffer:uint=0..4
// ARG: int=100000
// EXPECT 0: uint=704982704,704982704,704982704,704982704
kernel void long_loop(global uint *out) {
  uint i = 0;
  do {
    ++i;
  } while (i < 200000u);
  out[get_global_id(0)] = i;
}
kernel void nest(global uint *out, int n) {
  uint count = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      ++count;
  out[get_global_id(0)] = count;
}
// A `continue`, and a `break` that one work-item takes: 80,000 of 120,000 numbers are no multiples of three.
kernel void skipping(global uint *out, int n) {
  uint id = get_global_id(0), count = 0, i = 0;
  for (i = 0; i < n; ++i) {
    if (i % 3 == 0)
      continue;
    if (id == 3 && count == 70000)
      break;
    ++count;
  }
  out[id] = count + (id == 3 ? 3 : id > 0);
}
// The steps of the Collatz sequences below n, which differ from one to the next.
kernel void collatz(global uint *out, int n) {
  uint steps = 0;
  for (int i = 1; i < n; ++i) {
    uint x = i;
    while (x != 1) {
      x = x & 1 ? 3 * x + 1 : x / 2;
      ++steps;
    }
  }
  out[get_global_id(0)] = steps;
}
// The sum of the numbers below n, in 32 bits.
kernel void hinted(global uint *out, int n) {
  uint sum = 0;
  __attribute__((opencl_unroll_hint(1)))
  for (int i = 0; i < n; ++i)
    sum += i;
  out[get_global_id(0)] = sum;
}
