// Pointers whose space is known only at run time: chosen, stored in memory, passed to functions that are not inlined.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=0..40
// ARG: buffer:int=1,2,3,4
// ARG: local:bytes=16
// ARG: int=0
// EXPECT 0: int=10,2,1300,1,1,769,327682,1065353216,0,879,10,200,1300,1,1,769,327682,1065353216,0,879,10,20,1300,1,1,769,327682,1065353216,0,879,10,2,1300,1,1,769,327682,1065353216,0,879
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=0..40
// ARG: buffer:int=1,2,3,4
// ARG: local:bytes=16
// ARG: int=1
// EXPECT 0: int=1000,200,1300,1,1,868,327880,1065353216,0,879,1000,20,1300,1,1,868,327880,1065353216,0,879,1000,2,1300,1,1,868,327880,1065353216,0,879,1000,200,1300,1,1,868,327880,1065353216,0,879
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=0..40
// ARG: buffer:int=1,2,3,4
// ARG: local:bytes=16
// ARG: int=2
// EXPECT 0: int=100,20,1300,1,1,778,327700,1065353216,0,879,100,2,1300,1,1,778,327700,1065353216,0,879,100,200,1300,1,1,778,327700,1065353216,0,879,100,20,1300,1,1,778,327700,1065353216,0,879
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
typedef struct {
    int *p;
    int n;
} Span;

__attribute__((noinline)) int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

__attribute__((noinline)) int total(const Span *spans, int count) {
    int s = 0;
    for (int i = 0; i < count; i++)
        s += sum(spans[i].p, spans[i].n) * (i + 1);
    return s;
}

kernel void k(global int *out, global int *in, local int *scratch, int which) {
    int mine[4] = {10, 20, 30, 40};
    int id = get_local_id(0);
    scratch[id] = in[id] * 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *chosen = which == 0 ? (int *)in : which == 1 ? (int *)scratch : (int *)mine;
    int *table[3] = {in, scratch, mine};
    Span spans[3] = {{in, 4}, {scratch, 3}, {mine, 2}};
    global int *o = out + id * 10;
    o[0] = sum(chosen, 4);
    o[1] = table[(id + which) % 3][1];
    o[2] = total(spans, 3);
    o[3] = chosen == table[which];
    o[4] = chosen != 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (which == 2 || id == 0) {
        chosen[2] = 7;
        ((char *)chosen)[1] = 3;
        ((short *)chosen)[3] = 5;
        *(float *)(chosen + 2) = 1.0f;
        *(float *)(chosen + 3) = 2.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    o[5] = chosen[0];
    o[6] = chosen[1];
    o[7] = chosen[2];
    o[8] = ((uchar *)chosen)[13];
    o[9] = mine[0] + in[0] + scratch[0];
}
