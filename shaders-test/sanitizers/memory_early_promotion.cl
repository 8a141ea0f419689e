// A variable that only some work-items set, in a kernel whose variables other passes need as values early: it has a
// sine and a cosine of one angle, and a barrier in a loop.
// LAUNCH: global=8 local=8
// ARG: int=8
float turned(float angle) {
    return sin(angle) + cos(angle);
}
kernel void wrong(global int *a) {
    int x, i = get_global_id(0);
    local int shared[8];
    shared[i] = 0;
    for (int j = 0; j < 3; j++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[i] += (int)(turned(i) * 10.0f);
    }
    if (i > 3)
        x = 1;
    a[i] = x + shared[i];                                // FINDS uninitialized
}
kernel void right(global int *a) {
    int x = 2, i = get_global_id(0);
    local int shared[8];
    shared[i] = 0;
    for (int j = 0; j < 3; j++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[i] += (int)(turned(i) * 10.0f);
    }
    if (i > 3)
        x = 1;
    a[i] = x + shared[i];
}
