// Doubles are converted to bytes and to unsigned numbers of eight bytes.
// LAUNCH: global=8 local=8
// ARG: int=16
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void wrong(global ulong *out) {
    double i = get_global_id(0);
    uchar2 c = convert_uchar2((double2)(i, 255 + i));    // FINDS conversion-range
    ulong l = (ulong)(i * 3e18);                         // FINDS conversion-range
    out[(int)i] = c.y + l / 2;
}
kernel void right(global ulong *out) {
    double i = get_global_id(0);
    uchar2 c = convert_uchar2((double2)(i, 255.9));
    ulong l = (ulong)(i * 2e18);
    out[(int)i] = c.y + l / 2 + (convert_long(-9223372036854775808.0) < 0);
}
