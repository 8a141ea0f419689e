// One case of a switch waits, and work-items of one group take different cases.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0), x = 0;
    switch (l / 16) {
    case 0: x = 4; break;
    case 1:
        x = 9;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
        break;
    default: x = 1;
    }
    out[l] = x;
}
kernel void right(global int *out) {
    int l = get_local_id(0), x = 0;
    switch (get_num_groups(0)) {
    case 0: x = 4; break;
    case 1:
        x = 9;
        barrier(CLK_LOCAL_MEM_FENCE);
        break;
    default: x = 1;
    }
    out[l] = x;
}
