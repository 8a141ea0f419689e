// The first round of a group reads what the second one writes, and the third one what none writes.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global int *out) {
    local int t[4][32];
    int l = get_local_id(0), sum = 0;
    for (int round = 0; round < 3; round++) {
        t[round][l] = round;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[round ^ 1][31 - l];
    }
    out[l] = sum;                                        // FINDS uninitialized
}
kernel void right(global int *out) {
    local int t[4][32];
    int l = get_local_id(0), sum = 0;
    for (int round = 0; round < 3; round++) {
        t[round][l] = round;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[round / 2][31 - l];
    }
    out[l] = sum;
}
