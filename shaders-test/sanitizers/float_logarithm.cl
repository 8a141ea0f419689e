// The first work-item takes the logarithm of zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = log((float)i);                              // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = log(i + 1.0f);
}
