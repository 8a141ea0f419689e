// Ten to the nineteenth is too large for a long, and not for an unsigned one.
// LAUNCH: global=4 local=4
// ARG: int=8
kernel void wrong(global long *out) {
    float x = 2.5e18f * (get_global_id(0) + 1);
    out[get_global_id(0)] = (long)x;                     // FINDS conversion-range
}
kernel void right(global long *out) {
    float x = 2.5e18f * (get_global_id(0) + 1);
    out[get_global_id(0)] = (long)((ulong)x >> 1);
}
