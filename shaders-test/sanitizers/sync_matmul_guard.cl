// The work-items outside of a matrix leave the loop over the tiles to the others.
// LAUNCH: global=16,16 local=8,8
// ARG: int=144
// ARG: int=144
#define N 12
kernel void wrong(global const int *a, global int *c) {
    local int tile[8][8];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), sum = 0;
    if (x < N && y < N) {
        for (int k = 0; k + lx < N; k += 8) {
            tile[ly][lx] = a[y * N + k + lx];
            barrier(CLK_LOCAL_MEM_FENCE);                // FINDS divergent-barrier
            sum += tile[ly][lx];
        }
        c[y * N + x] = sum;
    }
}
kernel void right(global const int *a, global int *c) {
    local int tile[8][8];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int k = 0; k < N; k += 8) {
        tile[ly][lx] = y < N && k + lx < N ? a[y * N + k + lx] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[ly][lx ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < N)
        c[y * N + x] = sum;
}
