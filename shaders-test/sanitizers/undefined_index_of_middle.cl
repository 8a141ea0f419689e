// The second of three indices is too great by one.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int t[2][3][4];
    for (int k = 0; k < 24; k++)
        t[k / 12][k / 4 % 3][k % 4] = k;
    out[i] = t[0][i / 2][i % 4];                         // FINDS array-index
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int t[2][3][4];
    for (int k = 0; k < 24; k++)
        t[k / 12][k / 4 % 3][k % 4] = k;
    out[i] = t[0][i / 3][i % 4];
}
