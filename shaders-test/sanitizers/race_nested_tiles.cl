// A tile of columns is loaded in an inner loop, and the barrier stands behind the outer one.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global int *out) {
    local int tile[32];
    int l = get_local_id(0), sum = 0;
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 3; b++) {
            tile[l] = l * a + b;                         // FINDS local-race
            sum += tile[l ^ 16];                         // FINDS local-race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = sum;
}
kernel void right(global int *out) {
    local int tile[32];
    int l = get_local_id(0), sum = 0;
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 3; b++) {
            tile[l] = l * a + b;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += tile[l ^ 16];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[l] = sum;
}
