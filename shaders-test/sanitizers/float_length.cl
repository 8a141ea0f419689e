// The length of a vector is greater than its elements.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float2 v = (float2)(3e38f, i % 2 ? 3e38f : 0.0f);
    out[i] = length(v);                                  // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float2 v = (float2)(3e38f, i % 2 ? 3e38f : 0.0f);
    out[i] = length(v / 2);
}
