// A column of a private matrix is one longer than the matrix is high.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int m[3][4], i = get_global_id(0), trace = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = r * c + i;
    for (int k = 0; k < 4; k++)
        trace += m[k][k];                                // FINDS out-of-range
    out[i] = trace;
}
kernel void right(global int *out) {
    int m[3][4], i = get_global_id(0), trace = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = r * c + i;
    for (int k = 0; k < 3; k++)
        trace += m[k][k];
    out[i] = trace;
}
