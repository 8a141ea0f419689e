// The inner loop starts at a place that depends on the work-item, and waits in each iteration.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global int *out) {
    int l = get_local_id(0), sum = 0;
    for (int n = 0; n < 3; n++)
        for (int k = l % 2; k < 4; k++) {
            barrier(CLK_LOCAL_MEM_FENCE);                // FINDS divergent-barrier
            sum += n * k;
        }
    out[l] = sum;
}
kernel void right(global int *out) {
    int l = get_local_id(0), sum = 0;
    for (int n = 0; n < 3; n++)
        for (int k = n % 2; k < 4; k++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += n * k;
        }
    out[l] = sum;
}
