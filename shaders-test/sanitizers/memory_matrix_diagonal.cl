// The elements of a matrix above and below the diagonal are set, the diagonal is not.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    float m[3][3], i = get_global_id(0), trace = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (r != c)
                m[r][c] = r * i - c;
    for (int k = 0; k < 3; k++)
        trace += m[k][k] + m[k][(k + 1) % 3];
    out[get_global_id(0)] = trace;                       // FINDS uninitialized
}
kernel void right(global float *out) {
    float m[3][3], i = get_global_id(0), trace = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (r != c)
                m[r][c] = r * i - c;
    for (int k = 0; k < 3; k++)
        trace += m[k][(k + 2) % 3] + m[k][(k + 1) % 3];
    out[get_global_id(0)] = trace;
}
