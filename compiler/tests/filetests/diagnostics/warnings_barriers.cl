// options: -cl-std=CL2.0 -Wdivergent-barrier -Wunused-variable -Wnarrowed-global-id
// What only OpenCL programs get wrong. clang has the warning about variables, also of local memory.
kernel void barriers(global int *o, int n) {
  local int shared[64];
  local int unused[64]; // warning: unused variable 'unused'
  int i = get_local_id(0);
  int first = i == 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (n)
    barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 32)
    barrier(CLK_LOCAL_MEM_FENCE); // warning: 'barrier' in control flow that may differ between the work-items of a work-group
  for (int j = 0; j < n; j++)
    barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = i; j < n; j += 64)
    work_group_barrier(CLK_LOCAL_MEM_FENCE); // warning: 'work_group_barrier' in control flow that may differ between the work-items of a work-group
  while (first) {
    shared[i] = work_group_reduce_add(n); // warning: 'work_group_reduce_add' in control flow that may differ between the work-items of a work-group
    first = 0;
  }
  int last = 0;
  for (int j = 0; j < n; j++) {
    if (last)
      barrier(CLK_LOCAL_MEM_FENCE); // warning: 'barrier' in control flow that may differ between the work-items of a work-group
    last = i + j;
  }
  o[i] = shared[i];
}
kernel void returns(global int *o, int n) {
  barrier(CLK_LOCAL_MEM_FENCE);
  int id = get_global_id(0); // warning: implicit conversion of 'get_global_id' loses integer precision: 'unsigned long' to 'int'
  size_t whole = get_global_id(0);
  if (n == 0)
    return;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id >= n)
    return;
  barrier(CLK_LOCAL_MEM_FENCE); // warning: 'barrier' in control flow that may differ between the work-items of a work-group
  o[whole] = 1;
}
kernel void halves(global int *o, int n) {
  if (get_local_id(0) < 32)
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE); // warning: 'intel_work_group_barrier_arrive' in control flow that may differ between the work-items of a work-group
  intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
  o[n] = 1;
}
// ---
// warning: unused variable 'unused' [-Wunused-variable]
//  --> test.cl:5:13
//   |
// 5 |   local int unused[64];
//   |             ^^^^^^
//
// warning: 'barrier' in control flow that may differ between the work-items of a work-group [-Wdivergent-barrier]
//   --> test.cl:12:5
//    |
// 12 |     barrier(CLK_LOCAL_MEM_FENCE);
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// warning: 'work_group_barrier' in control flow that may differ between the work-items of a work-group [-Wdivergent-barrier]
//   --> test.cl:16:5
//    |
// 16 |     work_group_barrier(CLK_LOCAL_MEM_FENCE);
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// warning: 'work_group_reduce_add' in control flow that may differ between the work-items of a work-group [-Wdivergent-barrier]
//   --> test.cl:18:17
//    |
// 18 |     shared[i] = work_group_reduce_add(n);
//    |                 ^^^^^^^^^^^^^^^^^^^^^^^^
//
// warning: 'barrier' in control flow that may differ between the work-items of a work-group [-Wdivergent-barrier]
//   --> test.cl:24:7
//    |
// 24 |       barrier(CLK_LOCAL_MEM_FENCE);
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// warning: implicit conversion of 'get_global_id' loses integer precision: 'unsigned long' to 'int' [-Wnarrowed-global-id]
//   --> test.cl:31:12
//    |
// 31 |   int id = get_global_id(0);
//    |            ^^^^^^^^^^^^^^^^
//
// warning: 'barrier' in control flow that may differ between the work-items of a work-group [-Wdivergent-barrier]
//   --> test.cl:38:3
//    |
// 38 |   barrier(CLK_LOCAL_MEM_FENCE);
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// warning: 'intel_work_group_barrier_arrive' in control flow that may differ between the work-items of a work-group [-Wdivergent-barrier]
//   --> test.cl:43:5
//    |
// 43 |     intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
