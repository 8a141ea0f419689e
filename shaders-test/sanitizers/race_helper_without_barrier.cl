// One of two functions that store to a tile has no barrier.
// LAUNCH: global=64 local=64
// ARG: int=64
void put_and_wait(local int *t, int at, int value) {
    t[at] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
}
void put(local int *t, int at, int value) {
    t[at] = value;                                       // FINDS local-race
}
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    put_and_wait(t, l, l);
    int x = t[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    put(t, l, x + 1);
    out[l] = t[(l + 9) % 64];                            // FINDS local-race
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    put_and_wait(t, l, l);
    int x = t[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    put_and_wait(t, l, x + 1);
    out[l] = t[(l + 9) % 64];
}
