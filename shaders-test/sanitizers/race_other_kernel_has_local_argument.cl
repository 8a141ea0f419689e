// How much local memory another kernel of the program has depends on its argument, which the kernels below do not have.
// LAUNCH: global=128 local=64
// ARG: int=128
kernel void other(local int *t, global int *a) {
    int l = get_local_id(0);
    t[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[63 - l];
}
kernel void wrong(global int *a) {
    local int t[64];
    int l = get_local_id(0);
    t[a[get_global_id(0)] + l] = l; // FINDS local-race
    a[get_global_id(0)] = t[63 - l]; // FINDS local-race
}
kernel void right(global int *a) {
    local int t[64];
    int l = get_local_id(0);
    t[a[get_global_id(0)] + l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[63 - l];
}
