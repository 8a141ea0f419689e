// Two reductions one after the other use the same scratch memory without a barrier between them.
// LAUNCH: global=64 local=64
// ARG: int=2
int total(local int *t, int value) {
    int l = get_local_id(0), sum = 0;
    t[l] = value;                                        // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++)
        sum += t[k];                                     // FINDS local-race
    return sum;
}
kernel void wrong(global int *out) {
    local int t[64];
    int a = total(t, get_local_id(0)), b = total(t, 2 - get_local_id(0));
    if (get_local_id(0) == 0)
        out[0] = a, out[1] = b;
}
kernel void right(global int *out) {
    local int t[64];
    int a = total(t, get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    int b = total(t, 2 - get_local_id(0));
    if (get_local_id(0) == 0)
        out[0] = a, out[1] = b;
}
