// Exponentials of great numbers, which are divided by each other.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float scale = exp(i * 20.0f);                        // FINDS not-finite
    out[i] = 1 / (1 + scale);
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float scale = exp(i * 20.0f - 140.0f);
    out[i] = 1 / (1 + scale);
}
