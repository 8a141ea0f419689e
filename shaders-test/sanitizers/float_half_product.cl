// The square of a length in halves is too great, in floats it is not.
// LAUNCH: global=8 local=8
// ARG: int=8
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    half h = (half)(i * 100.0f);
    out[i] = (float)(h * h);                             // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    half h = (half)(i * 100.0f);
    out[i] = (float)h * (float)h;
}
