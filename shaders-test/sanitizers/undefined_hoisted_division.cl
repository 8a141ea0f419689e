// A quotient does not change in a loop, and the loop has no iteration in the right kernel where the divisor is zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k <= i; k++)
        sum += k + 60 / i;                               // FINDS division-by-zero
    out[i] = sum;
}
kernel void right(global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < i; k++)
        sum += k + 60 / i;
    out[i] = sum;
}
