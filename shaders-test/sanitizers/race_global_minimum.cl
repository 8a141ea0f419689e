// Groups compare their minima with that of the whole launch and replace it.
// LAUNCH: global=256 local=32
// ARG: int=1
kernel void wrong(global int *least) {
    local int mine;
    if (get_local_id(0) == 0)
        mine = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_min(&mine, -(int)get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && mine < *least)           // FINDS global-race
        *least = mine;                                   // FINDS global-race
}
kernel void right(global int *least) {
    local int mine;
    if (get_local_id(0) == 0)
        mine = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_min(&mine, -(int)get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_min(least, mine);
}
