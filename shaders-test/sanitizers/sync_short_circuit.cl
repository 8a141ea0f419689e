// The second operand of "or" waits, and is not evaluated where the first one holds.
// LAUNCH: global=64 local=64
// ARG: int=64
bool all_waited(void) {
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    return true;
}
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    if (l > 50 || all_waited())
        out[l] = 1;
}
kernel void right(global int *out) {
    int l = get_local_id(0);
    if (all_waited() && l <= 50)
        out[l] = 1;
}
