// A function that sets a variable is called for some work-items only, and its result is ignored.
// LAUNCH: global=8 local=8
// ARG: int=8
int next(int n, int *to) {
    *to = n + 1;
    return n & 1;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0), x;
    if (i > 2)
        next(i, &x);
    out[i] = x;                                          // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), x;
    next(i, &x);
    out[i] = x;
}
