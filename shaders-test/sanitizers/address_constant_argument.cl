// A table of constants in a buffer is read below its start.
// LAUNCH: global=8 local=8
// ARG: int=8
// ARG: int=8
kernel void wrong(constant float *weights, global float *out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = -1; k <= 1; k++)
        sum += weights[i + k < 8 ? i + k : 7];           // FINDS out-of-range
    out[i] = sum;
}
kernel void right(constant float *weights, global float *out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = -1; k <= 1; k++)
        sum += weights[clamp(i + k, 0, 7)];
    out[i] = sum;
}
