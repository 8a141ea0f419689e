// The phases of an odd-even sort follow each other without a barrier.
// LAUNCH: global=32 local=32
// ARG: int=64
kernel void wrong(global int *out) {
    local int keys[64];
    int l = get_local_id(0);
    keys[l] = 64 - l;
    keys[l + 32] = 32 - l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int phase = 0; phase < 64; phase++) {
        int at = 2 * l + (phase & 1);
        if (at < 63 && keys[at] > keys[at + 1]) {        // FINDS local-race
            int swap = keys[at];                         // FINDS local-race
            keys[at] = keys[at + 1];                     // FINDS local-race
            keys[at + 1] = swap;                         // FINDS local-race
        }
    }
    out[l] = keys[l];                                    // FINDS local-race
}
kernel void right(global int *out) {
    local int keys[64];
    int l = get_local_id(0);
    keys[l] = 64 - l;
    keys[l + 32] = 32 - l;
    for (int phase = 0; phase < 64; phase++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int at = 2 * l + (phase & 1);
        if (at < 63 && keys[at] > keys[at + 1]) {
            int swap = keys[at];
            keys[at] = keys[at + 1];
            keys[at + 1] = swap;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = keys[l];
}
