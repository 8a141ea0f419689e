// The second operand of "and" sets a variable, and is not evaluated if the first one is false.
// LAUNCH: global=8 local=8
// ARG: int=8
int next(int n, int *to) {
    *to = n + 1;
    return n & 1;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0), x;
    bool odd = i > 2 && next(i, &x);
    out[i] = x + odd;                                    // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), x;
    bool odd = next(i, &x) && i > 2;
    out[i] = x + odd;
}
