// The sum of two great numbers is beyond the greatest one.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float great = i % 2 ? 3e38f : 1e38f;
    out[i] = great + 1e38f;                              // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float great = i % 2 ? 3e38f : 1e38f;
    out[i] = great / 2 + 0.5e38f;
}
