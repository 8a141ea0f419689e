// An approximate division by zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = native_divide(2.0f, i - 1.0f);              // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = native_divide(2.0f, i + 1.0f);
}
