// A quotient is divided on and on, until the divisor has no bits left.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global uint *out) {
    uint rest = 5000, d = get_global_id(0) + 8;
    for (int k = 0; k < 5; k++, d >>= 1)
        rest /= d;                                       // FINDS division-by-zero
    out[get_global_id(0)] = rest;
}
kernel void right(global uint *out) {
    uint rest = 5000, d = get_global_id(0) + 8;
    for (int k = 0; k < 5 && d; k++, d >>= 1)
        rest /= d;
    out[get_global_id(0)] = rest;
}
