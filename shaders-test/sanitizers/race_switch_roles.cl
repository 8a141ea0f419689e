// Work-items have roles, and the one that sums up does not wait for those that produce.
// LAUNCH: global=96 local=96
// ARG: int=96
kernel void wrong(global int *out) {
    local int made[64];
    int l = get_local_id(0), sum = 0;
    switch (l / 32) {
    case 0:
        made[l] = l;                                     // FINDS local-race
        break;
    case 1:
        made[l] = 2 * l;                                 // FINDS local-race
        break;
    default:
        for (int k = l - 64; k < 64; k += 32)
            sum += made[k];                              // FINDS local-race
    }
    out[l] = sum;
}
kernel void right(global int *out) {
    local int made[64];
    int l = get_local_id(0), sum = 0;
    switch (l / 32) {
    case 0: case 1:
        made[l] = l * (l / 32 + 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 64)
        for (int k = l - 64; k < 64; k += 32)
            sum += made[k];
    out[l] = sum;
}
