// The work-items with the lower partner sort and wait, and the others go to the next step.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global int *out) {
    local int keys[32];
    int l = get_local_id(0);
    keys[l] = l * 11 % 32;
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            if ((l ^ j) > l) {
                barrier(CLK_LOCAL_MEM_FENCE);            // FINDS divergent-barrier
                keys[l] = min(keys[l], keys[l ^ j]);
            }
    out[l] = keys[l];
}
kernel void right(global int *out) {
    local int keys[32];
    int l = get_local_id(0);
    keys[l] = l * 11 % 32;
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int other = keys[l ^ j];
            barrier(CLK_LOCAL_MEM_FENCE);
            if ((l ^ j) > l)
                keys[l] = min(keys[l], other);
        }
    out[l] = keys[l];
}
