// A rotation by zero shifts by the whole width.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    uint x = 0x1234u + i;
    uint low = x >> (32 - i);                            // FINDS shift-count
    out[i] = x << i | low;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    uint x = 0x1234u + i;
    uint low = x >> (32 - i & 31);
    out[i] = (x << i | low) + rotate(x, 40u);
}
