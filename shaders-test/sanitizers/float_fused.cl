// A fused multiplication and addition is beyond the greatest number.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = fma(i * 1e20f, 1e18f * 10, 1.0f);                // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = fma(i * 1e19f, 1e18f, -1.0f) / 1e3f;
}
