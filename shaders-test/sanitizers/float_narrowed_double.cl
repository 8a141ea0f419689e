// A double is converted to a float, which has no number of that size.
// LAUNCH: global=8 local=8
// ARG: int=8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    double mass = 1e30 * (i + 1), others = mass * mass;
    float product = others;                              // FINDS not-finite
    out[i] = product / 1e30f;
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    double mass = 1e30 * (i + 1), others = mass * mass;
    float product = others / 1e30;
    out[i] = product;
}
