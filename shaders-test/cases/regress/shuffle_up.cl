// Values of lower work-items that come from memory: lavapipe 22.3 crashes where they are doubles. Each work-item whose sub-group
// has one two places below it compares with what that one loaded. Expected values by hand.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no sub-group functions
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V
// RUN: kernel=shuffle_up global=16 local=16
// ARG: buffer:double=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// ARG: buffer:long=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9
// EXPECT 2: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
kernel void shuffle_up(global double *doubles, global long *longs, global int *out)
{
    size_t i = get_global_id(0);
    double d = sub_group_shuffle_up(doubles[i], 2);
    long l = sub_group_shuffle_up(longs[i], 2);
    int has_lower = get_sub_group_local_id() >= 2;
    out[i] = has_lower && (d != doubles[i] - 2 || l != longs[i] - 2);
}
