// A number below the end of the range is rounded to the even one behind it.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global short *out) {
    int i = get_global_id(0);
    out[i] = convert_short_rte(32767.6f - i);            // FINDS conversion-range
}
kernel void right(global short *out) {
    int i = get_global_id(0);
    out[i] = convert_short_rtz(32767.6f - i) + convert_short_rte(32767.4f - i);
}
