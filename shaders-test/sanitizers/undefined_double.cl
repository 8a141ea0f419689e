// A double that counts seconds is converted to an int of milliseconds.
// LAUNCH: global=8 local=8
// ARG: int=8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void wrong(global int *out) {
    double seconds = 1000000.0 * get_global_id(0);
    out[get_global_id(0)] = (int)(seconds * 1000);       // FINDS conversion-range
}
kernel void right(global int *out) {
    double seconds = 300000.0 * get_global_id(0);
    out[get_global_id(0)] = (int)(seconds * 1000) / 2 + (int)2147483647.5 / 4;
}
