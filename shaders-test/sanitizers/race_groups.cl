// A barrier does not order work-groups: each reads what the next one writes.
// LAUNCH: global=128 local=32
// ARG: int=160
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    a[i] = i;                                            // FINDS global-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    int x = a[(i + 32) % 128];                           // FINDS global-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (x < 0)
        a[i + 32] = 1;
}
kernel void right(global int *a) {
    int i = get_global_id(0);
    a[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int x = a[i ^ 31];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (x < 0)
        a[i] = 1;
}
