// The mean of no numbers is zero by zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < i; k++)
        sum += k;
    out[i] = sum / i;                                    // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < i; k++)
        sum += k;
    out[i] = i > 0 ? sum / i : 0;
}
