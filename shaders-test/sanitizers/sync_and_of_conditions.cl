// The last operand of three conditions waits.
// LAUNCH: global=64 local=64
// ARG: int=64
int waited(int x) {
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    return x;
}
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    out[l] = l > 3 && l % 5 != 2 && waited(l) > 9;
}
kernel void right(global int *out) {
    int l = get_local_id(0), x = waited(l);
    out[l] = l > 3 && l % 5 != 2 && x > 9;
}
