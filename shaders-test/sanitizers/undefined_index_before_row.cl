// The left neighbour of the first element is in the row before.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    local int t[3][8];
    t[i % 3][i] = 1;
    t[1][i] = i;
    if (i < 7)
        out[i] = t[1][i - 1];                            // FINDS array-index
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    local int t[3][8];
    t[1][i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i > 0)
        out[i] = t[1][i - 1];
}
