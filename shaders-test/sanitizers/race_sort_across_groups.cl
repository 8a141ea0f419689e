// A step of an odd-even sort follows the other behind a barrier, which the neighbour in the next group does not share.
// LAUNCH: global=64 local=16
// ARG: int=128
void order(global int *keys, int at, int n) {
    if (at + 1 < n) {
        int a = keys[at], b = keys[at + 1];              // FINDS global-race
        keys[at] = min(a, b - 1);                        // FINDS global-race
        keys[at + 1] = max(a, b) + at;                   // FINDS global-race
    }
}
kernel void wrong(global int *keys) {
    int i = get_global_id(0);
    order(keys, 2 * i, 128);
    barrier(CLK_GLOBAL_MEM_FENCE);
    order(keys, 2 * i + 1, 128);
}
kernel void right(global int *keys) {
    int i = get_global_id(0), l = get_local_id(0);
    global int *mine = keys + 32 * get_group_id(0);
    order(mine, 2 * l, 32);
    barrier(CLK_GLOBAL_MEM_FENCE);
    order(mine, 2 * l + 1, 32);
}
