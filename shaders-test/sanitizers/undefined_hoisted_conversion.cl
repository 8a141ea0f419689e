// A conversion does not change in a loop, and the loop has no iteration in the right kernel where it has no result.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), sum = 0;
    float period = 50.0f / i;
    for (int k = 0; k <= i; k++)
        sum += k * (int)period;                          // FINDS conversion-range
    out[i] = sum;
}
kernel void right(global int *out) {
    int i = get_global_id(0), sum = 0;
    float period = 50.0f / i;
    for (int k = 0; k < i; k++)
        sum += k * (int)period;
    out[i] = sum;
}
