// The same in the memory of an argument, through a pointer in a variable.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: local=512
kernel void wrong(global int *a, local float *t) {
    local float *p = t + 8;
    int l = get_local_id(0);
    if (l != 5)
        p[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (p[63 - l] > 2)                                   // FINDS uninitialized
        a[l] = 1;
}
kernel void right(global int *a, local float *t) {
    local float *p = t + 8;
    int l = get_local_id(0);
    p[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (p[63 - l] > 2)
        a[l] = 1;
}
