// Work-group barriers in two halves (cl_intel_split_work_group_barrier): each work-item gives its number to its neighbour, in
// rounds, with work of its own between both halves. Expected: the same rounds on the host.
// SKIP reference: the driver lacks the extension
// SKIP opencl: the OpenCL driver lacks the extension
// RUN: kernel=rounds global=128 local=64
// ARG: buffer:int=0..128
// EXPECT 0: int=284,405,526,647,768,889,1010,1131,1252,1373,1494,1615,1736,1857,1978,2099,2220,2341,2462,2583,2704,2825,2946,3067,3188,3309,3430,3551,3672,3793,3914,4035,4156,4277,4398,4519,4640,4761,4882,5003,5124,5245,5366,5487,5608,5729,5850,5971,6092,6213,6334,6455,6576,6697,6818,6939,7060,7181,7302,7423,6520,4081,1642,483,5468,5589,5710,5831,5952,6073,6194,6315,6436,6557,6678,6799,6920,7041,7162,7283,7404,7525,7646,7767,7888,8009,8130,8251,8372,8493,8614,8735,8856,8977,9098,9219,9340,9461,9582,9703,9824,9945,10066,10187,10308,10429,10550,10671,10792,10913,11034,11155,11276,11397,11518,11639,11760,11881,12002,12123,12244,12365,12486,12607,11704,9265,6826,5667
// RUN: kernel=in_global_memory global=128 local=64
// ARG: buffer:int=0..128
// ARG: buffer:bytes=1024
// EXPECT 0: int=284,405,526,647,768,889,1010,1131,1252,1373,1494,1615,1736,1857,1978,2099,2220,2341,2462,2583,2704,2825,2946,3067,3188,3309,3430,3551,3672,3793,3914,4035,4156,4277,4398,4519,4640,4761,4882,5003,5124,5245,5366,5487,5608,5729,5850,5971,6092,6213,6334,6455,6576,6697,6818,6939,7060,7181,7302,7423,6520,4081,1642,483,5468,5589,5710,5831,5952,6073,6194,6315,6436,6557,6678,6799,6920,7041,7162,7283,7404,7525,7646,7767,7888,8009,8130,8251,8372,8493,8614,8735,8856,8977,9098,9219,9340,9461,9582,9703,9824,9945,10066,10187,10308,10429,10550,10671,10792,10913,11034,11155,11276,11397,11518,11639,11760,11881,12002,12123,12244,12365,12486,12607,11704,9265,6826,5667

kernel void rounds(global int *out) {
    local int shared[2][64];
    int i = get_local_id(0), value = out[get_global_id(0)];
    for (int round = 0; round < 4; round++) {
        shared[round & 1][i] = value;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        value += i;
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        value += 2 * shared[round & 1][(i + 1) & 63];
    }
    out[get_global_id(0)] = value;
}

kernel void in_global_memory(global int *out, global int *shared) {
    int i = get_local_id(0), start = get_group_id(0) * 128, value = out[get_global_id(0)];
    for (int round = 0; round < 4; round++) {
        shared[start + (round & 1) * 64 + i] = value;
        intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
        value += i;
        intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
        value += 2 * shared[start + (round & 1) * 64 + ((i + 1) & 63)];
    }
    out[get_global_id(0)] = value;
}
