// A blur writes to the picture that its neighbours read.
// LAUNCH: global=16,16 local=8,8
// ARG: int=256
// ARG: int=256
kernel void wrong(global int *from, global int *to) {
    int x = get_global_id(0), y = get_global_id(1), sum = x + y;
    for (int v = max(y - 1, 0); v <= min(y + 1, 15); v++)
        for (int u = max(x - 1, 0); u <= min(x + 1, 15); u++)
            sum += from[16 * v + u];                     // FINDS global-race
    from[16 * y + x] = sum / 9 + 1;                      // FINDS global-race
}
kernel void right(global int *from, global int *to) {
    int x = get_global_id(0), y = get_global_id(1), sum = x + y;
    for (int v = max(y - 1, 0); v <= min(y + 1, 15); v++)
        for (int u = max(x - 1, 0); u <= min(x + 1, 15); u++)
            sum += from[16 * v + u];
    to[16 * y + x] = sum / 9 + 1;
}
