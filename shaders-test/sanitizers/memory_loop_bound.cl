// The number of iterations has not been computed.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), n, sum = 0;
    for (int k = 0; k < (n & 7); k++)                    // FINDS uninitialized
        sum += k;
    out[i] = sum;
}
kernel void right(global int *out) {
    int i = get_global_id(0), n = i, sum = 0;
    for (int k = 0; k < (n & 7); k++)
        sum += k;
    out[i] = sum;
}
