// The work-item 3 divides by zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = 1.0f / (i - 3);                             // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = 1.0f / (i - 3.5f);
}
