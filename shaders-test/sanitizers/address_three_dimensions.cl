// The innermost index of a private array of three dimensions runs to the length of the outermost.
// LAUNCH: global=4 local=4
// ARG: int=4
kernel void wrong(global int *out) {
    int t[4][3][2], sum = 0, i = get_global_id(0);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 2; c++)
                t[a][b][c] = i;
    for (int k = 0; k < 4; k++)
        sum += t[3][2][k];                               // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global int *out) {
    int t[4][3][2], sum = 0, i = get_global_id(0);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 2; c++)
                t[a][b][c] = i;
    for (int k = 0; k < 4; k++)
        sum += t[k][2][1];
    out[i] = sum;
}
