// Work-items halve a number until it is small, each for itself, and wait in each iteration.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global float *out) {
    int l = get_local_id(0);
    float x = l + 1;
    while (x > 0.01f) {
        x *= 0.5f;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    }
    out[l] = x;
}
kernel void right(global float *out) {
    int l = get_local_id(0);
    float x = l + 1;
    for (int n = 0; n < 12; n++) {
        x = x > 0.01f ? x * 0.5f : x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = x;
}
