// A function waits in its inner loop, whose trip count differs between the work-items of a group.
// LAUNCH: global=32 local=32
// ARG: int=32
int step(int rows, int columns) {
    int sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            barrier(CLK_LOCAL_MEM_FENCE);                // FINDS divergent-barrier
            sum += r * c;
        }
    return sum;
}
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    out[l] = step(3, 2 + l % 2);
}
kernel void right(global int *out) {
    int l = get_local_id(0);
    out[l] = step(3, 2 + get_local_size(0) % 2);
}
