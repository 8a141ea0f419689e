// Neighbours are read from local memory without a barrier behind the writes.
// LAUNCH: global=128 local=64
// ARG: int=128
// ARG: local=256
kernel void wrong(global int *out, local int *t) {
    int l = get_local_id(0);
    t[l] = l;                                            // FINDS local-race
    out[get_global_id(0)] = t[(l + 1) % 64];             // FINDS local-race
}
kernel void right(global int *out, local int *t) {
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[(l + 1) % 64];
}
