// A macro that waits stands for the body of an "if".
// LAUNCH: global=64 local=64
// ARG: int=64
#define STORE_AND_WAIT(to, value) do { (to) = (value); barrier(CLK_LOCAL_MEM_FENCE); } while (0)
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    if (l % 8 == 0)
        STORE_AND_WAIT(t[l], 2 * l);                     // FINDS divergent-barrier
    out[l] = t[l];
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    if (l < 64)
        STORE_AND_WAIT(t[l], 2 * l);
    out[l] = t[l];
}
