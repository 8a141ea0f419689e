// The square of 1e30 is beyond the greatest number.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float x = 1e30f * (i + 1), y = 2e30f;
    float square = x * x;                                // FINDS not-finite
    out[i] = sqrt(square) / y;
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float x = 1e30f * (i + 1), y = 2e30f;
    out[i] = hypot(x, y) / y;
}
