// The inverse hyperbolic tangent of 1 is infinite, and that of more is none.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = atanh(i / 4.0f);                            // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = atanh(i / 8.0f);
}
