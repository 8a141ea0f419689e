// A function that waits is called by some work-items of the group only.
// LAUNCH: global=64 local=32
// ARG: int=64
// ARG: local=128
int exchange(local int *t, int value) {
    int l = get_local_id(0);
    t[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    return t[l ^ 1];
}
kernel void wrong(global int *out, local int *t) {
    int i = get_global_id(0), x = i;
    if (i % 32 < 20)
        x = exchange(t, i);
    out[i] = x;
}
kernel void right(global int *out, local int *t) {
    int i = get_global_id(0), x = i;
    if (i / 32 < 1)
        x = exchange(t, i);
    out[i] = x;
}
