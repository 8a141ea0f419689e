// The second operand of a condition is not computed where the first one decides.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float x = i * 1e19f;
    out[i] = x * x > 1.0f && x < 1e19f;                  // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float x = i * 1e19f;
    out[i] = x < 2e19f && x * x > 1.0f;
}
