// Conversions of vectors with rounding modes leave the range, each in one lane.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global long *out) {
    float i = get_global_id(0);
    uint8 u = convert_uint8_rte((float8)(1, 2, 3, 4, 5, 6, 7, -1 - i)); // FINDS conversion-range
    ushort3 s = convert_ushort3_rtp((float3)(1, 65535.5f + i, 2)); // FINDS conversion-range
    long2 l = convert_long2((float2)(1, 9.3e18f));       // FINDS conversion-range
    char c = convert_char_rtn(-128.5f + i);              // FINDS conversion-range
    out[(int)i] = u.s7 + s.y + l.y / 2 + c;
}
kernel void right(global long *out) {
    float i = get_global_id(0);
    uint8 u = convert_uint8_rte((float8)(1, 2, 3, 4, 5, 6, 7, -0.5f));
    ushort3 s = convert_ushort3_rtp((float3)(1, 65534.5f - i, 2));
    long2 l = convert_long2((float2)(1, 9.2e18f));
    char c = convert_char_rtn(-127.5f + i);
    out[(int)i] = u.s7 + s.y + l.y / 2 + c + convert_char(300 + (int)i) + convert_int_sat(i / 0.0f) / 2;
}
