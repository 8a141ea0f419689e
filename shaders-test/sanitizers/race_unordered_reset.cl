// A counter is set to its start by one work-item while others already count.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int count;
    int l = get_local_id(0);
    if (l == 63)
        count = 5;                                       // FINDS local-race
    atomic_add(&count, l);                               // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = count;
}
kernel void right(global int *out) {
    local int count;
    int l = get_local_id(0);
    if (l == 63)
        count = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&count, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = count;
}
