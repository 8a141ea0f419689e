// A function clears the next part of a buffer in a loop while its owner fills it.
// LAUNCH: global=16 local=16
// ARG: int=136
void clear(global int *part, int n) {
    for (int k = 0; k < n; k++)
        part[k] = -1 - k;                                // FINDS global-race
}
kernel void wrong(global int *a) {
    global int *mine = a + 8 * get_global_id(0);
    mine[0] = 1;                                         // FINDS global-race
    clear(mine + 8, 8);
}
kernel void right(global int *a) {
    global int *mine = a + 8 * get_global_id(0);
    mine[0] = 1;
    clear(mine, 8);
}
