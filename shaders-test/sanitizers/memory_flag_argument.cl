// A function is told by a flag whether a value is there, and the flag is wrong.
// LAUNCH: global=8 local=8
// ARG: int=8
int sum(const int *values, int n, bool has_extra, int extra) {
    int s = has_extra ? extra : 0;
    for (int k = 0; k < n; k++)
        s += values[k];
    return s;
}
kernel void wrong(global int *out) {
    int values[4] = { 1, 2, 3, 4 }, extra, i = get_global_id(0);
    out[i] = sum(values, 4, i == 6, extra);              // FINDS uninitialized
}
kernel void right(global int *out) {
    int values[4] = { 1, 2, 3, 4 }, extra, i = get_global_id(0);
    if (i == 6)
        extra = 10;
    out[i] = sum(values, 4, i == 6, i == 6 ? extra : 0);
}
