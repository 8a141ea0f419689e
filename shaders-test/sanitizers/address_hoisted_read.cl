// An element does not change in a loop, and the loop has no iteration in the right kernel where there is no element.
// LAUNCH: global=8 local=8
// ARG: int=8
// ARG: int=8
kernel void wrong(global const int *in, global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k <= 7 - i; k++)
        sum += in[i + 1] * k;                            // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global const int *in, global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 7 - i; k++)
        sum += in[i + 1] * k;
    out[i] = sum;
}
