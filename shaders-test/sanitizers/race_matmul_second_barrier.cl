// The next tiles of a matrix product are loaded while other work-items still multiply the last ones.
// LAUNCH: global=16,16 local=8,8
// ARG: int=256
// ARG: int=256
// ARG: int=256
#define N 16
#define T 8
kernel void wrong(global const float *a, global const float *b, global float *c) {
    local float left[T][T], top[T][T];
    int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < N; k += T) {
        left[y][x] = a[row * N + k + x] + k + x;         // FINDS local-race
        top[y][x] = b[(k + y) * N + col] + k - y;        // FINDS local-race
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < T; j++)
            sum += left[y][j] * top[j][x];               // FINDS local-race
    }
    c[row * N + col] = sum;
}
kernel void right(global const float *a, global const float *b, global float *c) {
    local float left[T][T], top[T][T];
    int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < N; k += T) {
        left[y][x] = a[row * N + k + x] + k + x;
        top[y][x] = b[(k + y) * N + col] + k - y;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < T; j++)
            sum += left[y][j] * top[j][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * N + col] = sum;
}
