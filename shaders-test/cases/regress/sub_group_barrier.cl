// Barriers of sub-groups in statements that some sub-groups of a work-group take, or take more often than others.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=conditional global=64 local=32
// ARG: buffer:uint=0..64
// EXPECT 0: uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=repeated global=64 local=32
// ARG: buffer:uint=0..64
// EXPECT 0: uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// SKIP reference: the driver has no sub-group functions
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V

// The number of values that differ from what it should be.
kernel void conditional(global uint *out) {
    uint id = get_global_id(0), wanted = 0;
    out[id] = 0;
    if (get_sub_group_id() < 2) {
        for (uint i = 0; i < 4; i++) {
            out[id] += i + id;
            sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
            wanted += i + id;
        }
    }
    out[id] -= wanted;
}

kernel void repeated(global uint *out) {
    uint id = get_global_id(0), count = get_sub_group_id() * 3;
    out[id] = 0;
    for (uint i = 0; i < count; i++) {
        out[id] += 5;
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[id] += 2;
    }
    out[id] -= 7 * count;
}
