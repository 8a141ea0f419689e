// A loop that runs at least once waits as often as each work-item has bits.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    uint l = get_local_id(0), rest = l, bits = 0;
    do {
        bits += rest & 1;
        rest >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    } while (rest != 0);
    out[l] = bits;
}
kernel void right(global int *out) {
    uint l = get_local_id(0), rest = l, bits = 0, n = 0;
    do {
        bits += rest & 1;
        rest >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (++n < 6);
    out[l] = bits;
}
