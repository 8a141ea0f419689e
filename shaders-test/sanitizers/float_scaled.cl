// A number is scaled by a power of two that no float has.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = ldexp(1.0f, i * 100);                       // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = ldexp(1.0f, i * 10);
}
