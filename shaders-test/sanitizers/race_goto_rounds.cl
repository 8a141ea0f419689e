// Rounds that are closed by a jump write the slots that others read in the round before.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int slots[64];
    int l = get_local_id(0), round = 0, sum = 0;
next:
    slots[l] = l + round;                                // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += slots[(l + 17) & 63];                         // FINDS local-race
    if (++round < 3)
        goto next;
    out[l] = sum;
}
kernel void right(global int *out) {
    local int slots[64];
    int l = get_local_id(0), round = 0, sum = 0;
next:
    slots[l] = l + round;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += slots[(l + 17) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (++round < 3)
        goto next;
    out[l] = sum;
}
