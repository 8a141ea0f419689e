// The number of rounds of a work-item is its share of the data, which is rounded up for some of a group.
// LAUNCH: global=64 local=32
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), rounds = (150 - i + 63) / 64;
    while (rounds-- > 0) {
        atomic_inc(&out[(i + rounds) % 8]);
        barrier(CLK_GLOBAL_MEM_FENCE);                   // FINDS divergent-barrier
    }
}
kernel void right(global int *out) {
    int i = get_global_id(0), rounds = (150 - i + 63) / 64;
    for (int round = 0; round < (150 + 63) / 64; round++) {
        if (round < rounds)
            atomic_inc(&out[(i + round) % 8]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
