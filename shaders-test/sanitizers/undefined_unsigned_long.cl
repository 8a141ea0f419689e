// A small negative number is not in the range of unsigned ones of eight bytes.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global ulong *out) {
    int i = get_global_id(0);
    out[i] = convert_ulong(5.0f - i);                    // FINDS conversion-range
}
kernel void right(global ulong *out) {
    int i = get_global_id(0);
    out[i] = convert_ulong(7.0f - i) + convert_ulong_sat(5.0f - i);
}
