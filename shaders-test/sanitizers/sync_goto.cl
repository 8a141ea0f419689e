// A jump of some work-items goes past the barrier.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0), x = l;
    if (l & 32)
        goto end;
    x = 2 * l;
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
end:
    out[l] = x;
}
kernel void right(global int *out) {
    int l = get_local_id(0), x = l;
    if (l & 32)
        goto wait;
    x = 2 * l;
wait:
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = x;
}
