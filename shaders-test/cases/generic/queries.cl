// to_global, to_local, to_private and get_fence.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=3 local=3
// ARG: buffer:int=0..12
// ARG: buffer:int=5,6,7
// ARG: local:bytes=12
// EXPECT 0: int=1,0,0,5,0,1,0,16,0,0,1,27
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
__attribute__((noinline)) int *pick(int which, int *a, int *b, int *c) {
    return which == 0 ? a : which == 1 ? b : c;
}

kernel void k(global int *out, global int *in, local int *scratch) {
    int mine = 7;
    int id = get_local_id(0);
    scratch[id] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = pick(id, in, scratch + 1, &mine);
    global int *g = to_global(p);
    local int *l = to_local(p);
    private int *m = to_private(p);
    out[id * 4] = g != 0;
    out[id * 4 + 1] = l != 0;
    out[id * 4 + 2] = m != 0;
    out[id * 4 + 3] = (g ? *g : l ? *l + 10 : *m + 20);
    if ((get_fence(p) == CLK_LOCAL_MEM_FENCE) != (id == 1))
        out[id * 4 + 3] = -1;
}
