// A table's size is rounded down to a power of two, and the size is zero.
// LAUNCH: global=16 local=8
// ARG: int=16
uint power_below(uint n) {
    uint p = n;
    for (uint s = 1; s < 32; s *= 2)
        p |= p >> s;
    return p - (p >> 1);
}
kernel void wrong(global uint *out) {
    uint i = get_global_id(0);
    out[i] = 1234567u % power_below(i / 2);              // FINDS division-by-zero
}
kernel void right(global uint *out) {
    uint i = get_global_id(0);
    out[i] = 1234567u % power_below(i / 2 + 1);
}
