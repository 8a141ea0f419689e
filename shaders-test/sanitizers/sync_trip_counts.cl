// A loop with a barrier has as many iterations as the local id says.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < l; k++) {
        sum += k;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    }
    out[l] = sum;
}
kernel void right(global int *out) {
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 64; k++) {
        sum += k < l ? k : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = sum;
}
