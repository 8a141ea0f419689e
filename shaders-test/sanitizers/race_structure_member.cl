// Work-items own a member of a structure each, except two that share one.
// LAUNCH: global=64 local=64
// ARG: int=64
struct limits { int low, high, first, last; };
kernel void wrong(global int *out) {
    local struct limits limits;
    int l = get_local_id(0);
    if (l == 1)
        limits.low = -l;
    if (l == 20)
        limits.first = l;                                // FINDS local-race
    if (l == 60)
        limits.first = l;                                // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = limits.first;
}
kernel void right(global int *out) {
    local struct limits limits;
    int l = get_local_id(0);
    if (l == 1)
        limits.low = -l;
    if (l == 20)
        limits.first = l;
    if (l == 60)
        limits.last = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = limits.first + limits.last + limits.low;
}
