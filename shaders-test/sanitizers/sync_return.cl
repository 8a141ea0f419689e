// Work-items return before the others wait.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *a) {
    int l = get_local_id(0);
    if (l >= 40)
        return;
    barrier(CLK_GLOBAL_MEM_FENCE);                       // FINDS divergent-barrier
    a[l] = l;
}
kernel void right(global int *a) {
    int l = get_local_id(0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l >= 40)
        return;
    a[l] = l;
}
