// A buffer is an array of rows. A row of two has no third element.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    global int (*rows)[2] = (global int (*)[2])out;
    int k = i % 3;
    if (i < 3)
        rows[0][k] = i;                                  // FINDS array-index
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    global int (*rows)[2] = (global int (*)[2])out;
    rows[i / 2][i % 2] = i;
}
