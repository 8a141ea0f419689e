// Vectors of chars are not promoted, so that -128 / -1 has no result; scalars are.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global char4 *out) {
    char i = get_global_id(0);
    char4 d = (char4)(-1, -2, i - 100, 3);
    out[i] = (char4)(-128 + i / 4, 5, 6, 7) / d;         // FINDS division-overflow
}
kernel void right(global char4 *out) {
    char i = get_global_id(0), d = -1, n = -128 + i / 4;
    out[i] = (char4)(n / d & 127);
}
