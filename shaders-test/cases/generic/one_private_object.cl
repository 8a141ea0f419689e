// Generic pointers that one private object, or none, is among the choices of: its elements, from its middle, null, through a
// function, and two objects that are not told apart.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=8 local=8
// ARG: buffer:int=100,101,102,103,104,105,106,107,108,109,110,111
// ARG: buffer:bytes=160
// EXPECT 1: int=6,406,16,406,6,406,16,406,9,-1,109,-1,9,-1,109,301,7,102,7,104,7,106,7,108,4,5,4,5,4,5,4,100,30,104,12,106,30,108,12,110
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
int sum_of(const int *p, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += p[k];
    return sum;
}

kernel void k(global int *in, global int *out)
{
    int i = get_global_id(0);
    int own[8] = {0, 1, 2, 3, 4, 5, 6, 7}, other[2] = {5, 7};
    local int shared[4];
    if (i < 4)
        shared[i] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    // own[0..4] is 6, in[0..4] 406, shared[0..4] 10 and 6 more.
    int *from = i & 1 ? (int *)in : i & 2 ? (int *)shared : (int *)own;
    out[i] = sum_of(from, 4) + (i & 3 ? (i & 1 ? 0 : 6) : 0);
    // The middle of the object, and null.
    int *middle = i == 7 ? (int *)in : i & 1 ? (int *)0 : (int *)own + 4;
    int before = -1;
    if (middle)
        before = middle[0] + middle[1] + (i & 2 ? 100 : 0);
    out[8 + i] = before;
    // Written through the pointer, read from the object.
    int *target = &in[i + 1];
    if (!(i & 1))
        target = own + 1;
    int old = *target;
    target[0] = i & 1 ? old : 7;
    out[16 + i] = i & 1 ? *target : own[1];
    own[1] = 1;
    // Two objects.
    int *either = i == 7 ? (int *)in : i & 1 ? (int *)other : (int *)own + 4;
    out[24 + i] = either[0];
    // A loop that goes backwards, from behind the end.
    int *end = i & 1 ? (int *)in + i + 3 : (i & 2 ? (int *)own + 4 : (int *)own + 8);
    int sum = 0;
    for (int k = 1; k <= (i & 1 ? 1 : 8 - (i & 2) * 2); k++)
        sum += end[-k];
    out[32 + i] = sum + (i & 1 ? 1 : i & 2 ? 6 : 2);
}
