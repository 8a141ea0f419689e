// A case falls through to the barrier of the next one, and the default does not.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0), x = 0;
    switch (l % 4) {
    case 0:
        x = 1;
    case 1:
        x += 2;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
        break;
    default:
        x = 9;
    }
    out[l] = x;
}
kernel void right(global int *out) {
    int l = get_local_id(0), x = 0;
    switch (get_group_id(0)) {
    case 0:
        x = 1;
    case 1:
        x += 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        break;
    default:
        x = 9;
    }
    out[l] = x;
}
