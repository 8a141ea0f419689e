// A blur that is computed by a function writes to the picture that its neighbours read.
// LAUNCH: global=16,16 local=8,8
// ARG: int=256
// ARG: int=256
int mean(global const int *p, int x, int y) {
    int sum = x + y;
    for (int v = max(y - 1, 0); v <= min(y + 1, 15); v++)
        for (int u = max(x - 1, 0); u <= min(x + 1, 15); u++)
            sum += p[16 * v + u];                        // FINDS global-race
    return sum / 9;
}
kernel void wrong(global int *from, global int *to) {
    int x = get_global_id(0), y = get_global_id(1);
    from[16 * y + x] = mean(from, x, y) + 1;             // FINDS global-race
}
kernel void right(global int *from, global int *to) {
    int x = get_global_id(0), y = get_global_id(1);
    to[16 * y + x] = mean(from, x, y) + 1;
}
