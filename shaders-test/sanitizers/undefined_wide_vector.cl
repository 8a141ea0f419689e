// The last lane of a vector of sixteen shorts divides by zero.
// LAUNCH: global=4 local=4
// ARG: int=32
kernel void wrong(global short16 *out) {
    short i = get_global_id(0);
    short16 d = (short16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 3 - i);
    out[i] = (short16)(1000) / d;                        // FINDS division-by-zero
}
kernel void right(global short16 *out) {
    short i = get_global_id(0);
    short16 d = (short16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 4 - i);
    out[i] = (short16)(1000) / d;
}
