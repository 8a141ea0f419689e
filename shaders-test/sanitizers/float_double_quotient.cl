// Doubles are divided by zero in the work-item 5.
// LAUNCH: global=8 local=8
// ARG: int=16
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void wrong(global double *out) {
    int i = get_global_id(0);
    double x = i - 5;
    out[i] = 3.0 / x;                                    // FINDS not-finite
}
kernel void right(global double *out) {
    int i = get_global_id(0);
    double x = i - 5.5;
    out[i] = 3.0 / x;
}
