// A local variable beside a small `local` argument: many work-groups, whose tiles are larger than the argument.
// LAUNCH: global=16384 local=32
// ARG: int=16384
// ARG: local=4
kernel void wrong(global int *a, local int *sum) {
    local int t[1024];
    int l = get_local_id(0);
    if (l == 0)
        *sum = 0;
    for (int i = l; i < 1024; i += 32)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[1000 + a[get_global_id(0)] + l / 2] = l; // FINDS local-race
    atomic_add(sum, t[l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = *sum;
}
kernel void right(global int *a, local int *sum) {
    local int t[1024];
    int l = get_local_id(0);
    if (l == 0)
        *sum = 0;
    for (int i = l; i < 1024; i += 32)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[992 + a[get_global_id(0)] + l] = l;
    atomic_add(sum, t[l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = *sum;
}
