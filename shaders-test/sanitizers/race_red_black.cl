// The cells of one colour are updated from their neighbours, and the colour is that of the column.
// LAUNCH: global=16,16 local=16,4
// ARG: int=324
kernel void wrong(global int *grid) {
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (x % 2 == 0) {
        int sum = grid[18 * y + x - 1] + grid[18 * y + x + 1];
        sum += grid[18 * (y - 1) + x] + grid[18 * (y + 1) + x]; // FINDS global-race
        grid[18 * y + x] = sum / 4 + x + y;              // FINDS global-race
    }
}
kernel void right(global int *grid) {
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if ((x + y) % 2 == 0) {
        int sum = grid[18 * y + x - 1] + grid[18 * y + x + 1];
        sum += grid[18 * (y - 1) + x] + grid[18 * (y + 1) + x];
        grid[18 * y + x] = sum / 4 + x + y;
    }
}
