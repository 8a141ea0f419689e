// Work-items outside of the matrix leave their part of the tile unset, and the product reads it.
// LAUNCH: global=16,16 local=8,8
// ARG: int=144
// ARG: int=144
#define N 12
kernel void wrong(global const int *a, global int *c) {
    local int tile[8][8];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), sum = 0;
    if (x < N && y < N)
        tile[ly][lx] = a[y * N + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        sum += tile[ly][k];
    if (x < N && y < N)
        c[y * N + x] = sum;                              // FINDS uninitialized
}
kernel void right(global const int *a, global int *c) {
    local int tile[8][8];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), sum = 0;
    tile[ly][lx] = x < N && y < N ? a[y * N + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        sum += tile[ly][k];
    if (x < N && y < N)
        c[y * N + x] = sum;
}
