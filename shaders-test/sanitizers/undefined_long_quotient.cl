// The least number of eight bytes is divided by -1.
// LAUNCH: global=4 local=4
// ARG: int=8
kernel void wrong(global long *out) {
    long i = get_global_id(0), least = LONG_MIN + i;
    out[i] = least / (2 * i - 1);                          // FINDS division-overflow
    out[i] += least / ~(i / 4);                          // FINDS division-overflow
}
kernel void right(global long *out) {
    long i = get_global_id(0), least = LONG_MIN + i;
    out[i] = least / (i + 1);
    out[i] += (least + 1) / ~(i / 4);
}
