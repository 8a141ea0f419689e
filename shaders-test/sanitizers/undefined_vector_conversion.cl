// One lane of a vector is too large for a signed byte.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global char4 *out) {
    int i = get_global_id(0);
    out[i] = convert_char4((float4)(-128, 0, 127, 125 + i)); // FINDS conversion-range
}
kernel void right(global char4 *out) {
    int i = get_global_id(0);
    out[i] = convert_char4((float4)(-128.5f, 0, 127.9f, 120 + i));
}
