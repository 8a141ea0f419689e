// Both choices are computed by select, and only one by an operator.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float2 x = (float2)(i, 1);
    float2 chosen = select(1.0f / x, x, x == 0.0f);      // FINDS not-finite
    out[i] = chosen.x;
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float x = i;
    out[i] = x == 0.0f ? x : 1.0f / x;
}
