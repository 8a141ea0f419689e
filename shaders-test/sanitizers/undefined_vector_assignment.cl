// A remainder is assigned with an operator, and a lane of the divisor is zero.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global int4 *out) {
    int i = get_global_id(0);
    int4 v = (int4)(i, i + 1, i + 2, i + 3), d = (int4)(2, i - 6, 4, 5);
    v %= d;                                              // FINDS division-by-zero
    out[i] = v;
}
kernel void right(global int4 *out) {
    int i = get_global_id(0);
    int4 v = (int4)(i, i + 1, i + 2, i + 3), d = (int4)(2, i - 8, 4, 5);
    v %= d;
    out[i] = v;
}
