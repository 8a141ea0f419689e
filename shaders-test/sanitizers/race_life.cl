// A generation of the game of life replaces the last one cell by cell.
// LAUNCH: global=16,16 local=8,8
// ARG: int=256
// ARG: int=256
#define CELL(p, x, y) p[((y) & 15) * 16 + ((x) & 15)]
kernel void wrong(global int *now, global int *then) {
    int x = get_global_id(0), y = get_global_id(1);
    int n = CELL(now, x - 1, y) + CELL(now, x + 1, y) + CELL(now, x, y - 1) + CELL(now, x, y + 1); // FINDS global-race
    CELL(now, x, y) = (n == 3 ? x : y) + 1;              // FINDS global-race
}
kernel void right(global int *now, global int *then) {
    int x = get_global_id(0), y = get_global_id(1);
    int n = CELL(now, x - 1, y) + CELL(now, x + 1, y) + CELL(now, x, y - 1) + CELL(now, x, y + 1);
    CELL(then, x, y) = (n == 3 ? x : y) + 1;
}
