// Each group adds the total of the group before it, as if the groups were executed in order.
// LAUNCH: global=128 local=16
// ARG: int=8
// ARG: int=128
kernel void wrong(global int *totals, global int *out) {
    int g = get_group_id(0), l = get_local_id(0);
    if (l == 15)
        totals[g] = 16 * (g + 1);                        // FINDS global-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = l + (g > 0 ? totals[g - 1] : 0); // FINDS global-race
}
kernel void right(global int *totals, global int *out) {
    int g = get_group_id(0), l = get_local_id(0);
    if (l == 15)
        totals[g] = 16 * (g + 1);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = l + totals[g];
}
