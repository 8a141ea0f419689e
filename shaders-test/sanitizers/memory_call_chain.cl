// A value that nothing wrote goes through two functions before a branch depends on it.
// LAUNCH: global=8 local=8
// ARG: int=8
int twice(int n) {
    return 2 * n;
}
int clamped(int n) {
    if (twice(n) > 10)                                   // FINDS uninitialized
        return 10;
    return 1;
}
kernel void wrong(global int *out) {
    int n, i = get_global_id(0);
    if (i < 6)
        n = i;
    out[i] = clamped(n + 1);
}
kernel void right(global int *out) {
    int n = 9, i = get_global_id(0);
    if (i < 6)
        n = i;
    out[i] = clamped(n + 1);
}
