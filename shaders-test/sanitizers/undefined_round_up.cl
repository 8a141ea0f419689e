// Rounding up takes a number above 255 to 256.
// LAUNCH: global=8 local=8
// ARG: int=2
kernel void wrong(global uchar *out) {
    int i = get_global_id(0);
    out[i] = convert_uchar_rtp(255.25f - i);             // FINDS conversion-range
}
kernel void right(global uchar *out) {
    int i = get_global_id(0);
    out[i] = convert_uchar_rtn(255.25f - i);
}
