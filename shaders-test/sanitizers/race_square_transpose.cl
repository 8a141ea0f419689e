// A square matrix is transposed in place by both of the work-items of a pair.
// LAUNCH: global=16,16 local=8,8
// ARG: int=256
#define AT(x, y) m[(y) * 16 + (x)]
kernel void wrong(global int *m) {
    int x = get_global_id(0), y = get_global_id(1);
    int t = AT(x, y);                                    // FINDS global-race
    AT(x, y) = AT(y, x) + x;                             // FINDS global-race
    AT(y, x) = t + y;                                    // FINDS global-race
}
kernel void right(global int *m) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < y) {
        int t = AT(x, y);
        AT(x, y) = AT(y, x) + x;
        AT(y, x) = t + y;
    }
}
