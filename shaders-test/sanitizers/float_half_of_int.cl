// An integer is converted to a half, which has no number of more than 65504.
// LAUNCH: global=8 local=8
// ARG: int=8
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    half h = i * 20000;                                  // FINDS not-finite
    out[i] = (float)h + 1;
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    half h = i * 9000;
    out[i] = (float)h + 1;
}
