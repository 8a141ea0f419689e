// Numbers that the integer type does not have.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    a[i] = (int)(1e9f * i);                              // FINDS conversion-range
    a[i] += convert_uchar(-2.5f - i);                    // FINDS conversion-range
}
kernel void right(global int *a) {
    int i = get_global_id(0);
    a[i] = convert_int_sat(1e9f * i);
    a[i] += convert_uchar(-0.5f) + (int)-2147483648.0f + convert_uchar_sat(-2.5f - i);
}
