// A work-item adds up a window of the buffer into its first element, and windows overlap.
// LAUNCH: global=64 local=64
// ARG: int=72
kernel void wrong(global int *a) {
    int i = get_global_id(0), sum = i;
    for (global int *p = a + i; p < a + i + 8; p++)
        sum += *p;                                       // FINDS global-race
    a[i] = sum;                                          // FINDS global-race
}
kernel void right(global int *a) {
    int i = get_global_id(0), sum = i;
    for (global int *p = a + i; p < a + i + 8; p++)
        sum += *p;
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = sum;
}
