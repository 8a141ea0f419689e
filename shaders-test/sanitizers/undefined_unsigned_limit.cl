// Two to the 32nd is one more than an unsigned int holds.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global uint *out) {
    int i = get_global_id(0);
    out[i] = (uint)ldexp(1.0f, 26 + i);                  // FINDS conversion-range
}
kernel void right(global uint *out) {
    int i = get_global_id(0);
    out[i] = (uint)ldexp(1.0f, 24 + i) + (uint)4294967040.0f;
}
