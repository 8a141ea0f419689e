// Barriers between conditional statements, themselves in a conditional that whole work-groups take.
// RUN: kernel=k global=16 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 0: uint=7,8,9,10,3,4,5,6,7,8,9,10,3,4,5,6
__kernel void k(__global uint *out) {
  uint local_id = get_local_id(0);
  uint result = local_id;
  __local uint top;
  if (local_id == 0) top = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) % 2 == 0) {
    if (local_id == 0) top = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_id & 3) atomic_max(&top, 3u);
    barrier(CLK_LOCAL_MEM_FENCE);
    result += top;
    barrier(CLK_LOCAL_MEM_FENCE);
  } else {
    result += 3;
  }
  out[get_global_id(0)] = result;
}
