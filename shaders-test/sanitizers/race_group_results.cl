// The results of four groups are stored in two places.
// LAUNCH: global=64 local=16
// ARG: int=6
kernel void wrong(global int *state) {
    local int sum;
    int l = get_local_id(0), g = get_group_id(0);
    if (l == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, l + g);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 1)
        state[2 + g % 2] = sum;                          // FINDS global-race
}
kernel void right(global int *state) {
    local int sum;
    int l = get_local_id(0), g = get_group_id(0);
    if (l == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, l + g);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 1)
        state[2 + g] = sum;
}
