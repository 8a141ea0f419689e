// Functions of a whole work-group, also twice in a row and in two dimensions.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=k global=4,2 local=4,2
// ARG: buffer:int=0..80
// ARG: buffer:float=0,0,0,0,0,0,0,0
// EXPECT 0: int=36,1,1,3,6,-7,0,8,7,1,36,3,1,3,6,-7,0,8,7,2,36,6,2,3,6,-7,1,8,7,3,36,10,3,3,6,-7,3,8,7,4,36,15,4,3,6,-7,6,8,7,5,36,21,5,3,6,-7,10,8,7,6,36,28,6,3,6,-7,15,8,7,7,36,36,7,3,6,-7,21,8,7,8
// EXPECT 1: float=0,0.5,1,1.5,2,2.5,3,3.5
// SKIP reference: the driver has no work-group functions
// SKIP opencl: the OpenCL driver has no work-group functions in SPIR-V
kernel void k(global int *out, global float *f) {
    int id = (int)get_local_linear_id();
    global int *o = out + id * 10;
    o[0] = work_group_reduce_add(id + 1);
    o[1] = work_group_scan_inclusive_add(id + 1);
    int before = work_group_scan_exclusive_max(id);
    o[2] = id == 0 ? before == INT_MIN : before + 1;
    o[3] = work_group_any(id == 5) + 2 * work_group_all(id < 8) + 4 * work_group_all(id < 7);
    o[4] = work_group_broadcast(id, 2, 1);
    o[5] = work_group_reduce_min(-id);
    o[6] = (int)work_group_scan_exclusive_add((long)id);
    o[7] = (int)work_group_reduce_max((double)(id + 1));
    o[8] = (int)work_group_reduce_max((uint)id);
    o[9] = (int)(work_group_scan_inclusive_max((ulong)id << 40) >> 40) + 1;
    f[id] = work_group_scan_inclusive_max(0.5f * id);
}
