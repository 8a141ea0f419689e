// A function with a loop divides by its argument.
// LAUNCH: global=8 local=8
// ARG: int=8
float series(int n) {
    float sum = 0;
    for (int k = 1; k < 6; k++)
        sum += (float)k / n;                             // FINDS not-finite
    return sum;
}
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = series(i);
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = series(i + 1);
}
