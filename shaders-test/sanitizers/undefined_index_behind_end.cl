// The address behind the last element of a row may be taken. What is there is of the next row.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int t[2][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    int n = 4 - i % 2;
    out[i] = t[0][n];                                    // FINDS array-index
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int t[2][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    int n = 4 - i % 2, sum = 0;
    for (int *p = &t[0][0], *end = &t[0][n]; p < end; p++)
        sum += *p;
    out[i] = sum;
}
