// The argument is negative in half of the work-items.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = sqrt(i - 4.0f);                             // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = sqrt(max(i - 4.0f, 0.0f));
}
