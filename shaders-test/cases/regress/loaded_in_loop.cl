// What was loaded in a loop's last turn is used after the loop; work-items leave it at different turns.
// RUN: kernel=k global=16 local=16
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:uint=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
// EXPECT 0: uint=11111,22222,33333,44444,55555,66666,77777,88888,99999,111110,122221,133332,144443,155554,166665,177776
// EXPECT: pocl
uint found(__global const uint *in, uint id) {
  for (uint i = 0; i < 16; i++) {
    const uint v = in[i];
    if (v == id + 1) return v;
  }
  return 0;
}
__kernel void k(__global uint *out, __global uint *in) {
  const uint id = get_global_id(0);
  uint i = 0, a, b, c, d = 0;
  while (1) {
    a = in[i];
    if (a > id) break;
    i++;
  }
  i = 0;
  do {
    b = in[i++];
  } while (b <= id);
  for (i = 0;; i++) {
    if (i == id) {
      out[id] = 3;
      c = in[i] * 10;
      break;
    }
  }
  for (i = 0; i < 4; i++) {
    uint j = 0, v;
    for (;; j++) {
      v = in[4 * i + j];
      if (j == 3 || v > id) break;
    }
    if (v > id) {
      d = v;
      break;
    }
  }
  out[id] = a + b * 10 + c * 10 + d * 1000 + found(in, id) * 10000;
}
