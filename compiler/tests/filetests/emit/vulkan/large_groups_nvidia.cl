// options: --workarounds=none --tuning=nvidia-large-groups
// The loop that writes a private array is unrolled by four. The large body of which the work-items load from different
// addresses is in a group, too; the one with loads that are the same for all is not.
// CHECK: OpFunction
// CHECK: OpLoopMerge ... DontUnroll
// CHECK: OpFunction
// CHECK: OpLoopMerge ... DontUnroll
// CHECK: OpFunction
// CHECK-NOT: OpLoopMerge ... DontUnroll
kernel void state_of_generator(global uint *out, global const uint *in, uint n) {
  uint state[19];
  for (uint i = 0; i < 19; i++)
    state[i] = in[i];
  uint at = 0;
  for (uint i = 0; i < n; i++) {
    uint next = at == 18 ? 0 : at + 1;
    state[at] = state[next] * 5 + 1;
    at = next;
  }
  out[get_global_id(0)] = state[at];
}

#define STEP x = (x + 0.5f) * (x - 2.5f);
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
kernel void streamed(global float *out, global const float *in, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; i++) {
    float x = in[i * get_global_size(0) + get_global_id(0)];
    STEPS STEPS STEPS STEPS
    sum += x;
  }
  out[get_global_id(0)] = sum;
}

kernel void same(global float *out, global const float *in, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; i++) {
    float x = in[i];
    STEPS STEPS STEPS STEPS
    sum += x * get_global_id(0);
  }
  out[get_global_id(0)] = sum;
}
