// A reduction of the work-group in a loop that work-items leave after different numbers of iterations, in the iteration that all of
// them make: see `barriers_in_loops`. Expected values by hand.
// OPTIONS: -cl-std=CL2.0
// SKIP reference: the driver has no work-group functions
// SKIP opencl: the OpenCL driver has no work-group functions in SPIR-V
// RUN: kernel=reduces global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
#define LAST 39

kernel void reduces(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i <= id; i++) {
        if (i == 0)
            sum = shared[LAST - id] + work_group_reduce_add(id) - LAST * (LAST + 1) / 2;
        sum += 100;
    }
    out[id] = sum;
}
