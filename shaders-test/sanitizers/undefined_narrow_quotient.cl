// Shorts and chars are promoted, so that only the int has no quotient by -1.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), minus = -1 - (i & 4);
    short s = SHRT_MIN;
    out[i] = s / minus;
    out[i] += (s * 65536) / minus;                       // FINDS division-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0), minus = -1 - (i & 4);
    short s = SHRT_MIN;
    char c = CHAR_MIN;
    out[i] = s / minus + c / minus;
    out[i] += (s * 65000) / minus + s % (short)minus;
}
