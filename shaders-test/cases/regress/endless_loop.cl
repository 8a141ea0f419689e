// A loop that nothing leaves in one branch, which no work-item takes, and a loop of constant length in the other.
// RUN: kernel=k global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// EXPECT 0: uint=0,3779985715,3265004134,2750022553,2235040972,1720059391,1205077810,690096229
kernel void k(global uint *out) {
  uint id = get_global_id(0);
  if (id == 999)
    for (;;);
  else {
    uint sum = 0, i = 0;
    do {
      sum += 100 * sum + id;
      i += 9;
    } while (i < 2000);
    out[id] = sum;
  }
}
