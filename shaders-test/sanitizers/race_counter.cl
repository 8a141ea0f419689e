// A counter in local memory without atomics.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    count += get_local_id(0);                            // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = count;
}
kernel void right(global int *out) {
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&count, (int)get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = count;
}
