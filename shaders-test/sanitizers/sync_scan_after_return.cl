// Work-items behind the end return before the prefix sum.
// LAUNCH: global=64 local=64
// STD: CL3.0
// ARG: int=64
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    if (i >= 50)
        return;
    out[i] = work_group_scan_inclusive_add(i & 1);                       // FINDS divergent-barrier
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int sum = work_group_scan_inclusive_add(i < 50 ? i & 1 : 0);
    if (i < 50)
        out[i] = sum;
}
