// A function returns before it has set one of its outputs.
// LAUNCH: global=8 local=8
// ARG: int=16
void divide(int n, int d, int *quotient, int *rest) {
    *quotient = 0;
    if (d == 0)
        return;
    *quotient = n / d;
    *rest = n % d;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0), q, r;
    divide(i, i & 3, &q, &r);
    out[2 * i] = q;
    out[2 * i + 1] = r;                                  // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), q, r;
    divide(i, (i & 3) + 1, &q, &r);
    out[2 * i] = q;
    out[2 * i + 1] = r;
}
