// The root of a negative number is taken by a power.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = pow(i - 6.0f, 0.5f);                        // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = pow(fabs(i - 6.0f), 0.5f);
}
