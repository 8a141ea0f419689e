// A bitonic sort has a barrier behind each stage and none between the steps of a stage.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int keys[64];
    int l = get_local_id(0);
    keys[l] = (l * 37) % 64;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= 64; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            int p = l ^ j, mine = keys[l], other = keys[p]; // FINDS local-race
            if (p > l && (mine > other) == ((l & k) == 0)) {
                keys[l] = other;                         // FINDS local-race
                keys[p] = mine;                          // FINDS local-race
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = keys[l];
}
kernel void right(global int *out) {
    local int keys[64];
    int l = get_local_id(0);
    keys[l] = (l * 37) % 64;
    for (int k = 2; k <= 64; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int p = l ^ j, mine = keys[l], other = keys[p];
            barrier(CLK_LOCAL_MEM_FENCE);
            keys[l] = ((mine > other) == ((l & k) == 0)) == (l < p) ? other : mine;
        }
    out[l] = keys[l];
}
