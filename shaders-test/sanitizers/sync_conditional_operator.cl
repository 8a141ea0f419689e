// The operands of a conditional operator wait, and each is evaluated by one half of the group.
// LAUNCH: global=64 local=64
// ARG: int=64
int first(int x) {
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    return x;
}
int second(int x) {
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    return -x;
}
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    out[l] = l < 32 ? first(l) : second(l);
}
kernel void right(global int *out) {
    int l = get_local_id(0), a = first(l), b = second(l);
    out[l] = l < 32 ? a : b;
}
