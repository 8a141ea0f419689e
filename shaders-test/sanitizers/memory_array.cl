// The last element of an array is not set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    int t[8], i = get_global_id(0);
    for (int k = 0; k < 7; k++)
        t[k] = k;
    if (t[i] > 3)                                        // FINDS uninitialized
        a[i] = 1;
}
kernel void right(global int *a) {
    int t[8], i = get_global_id(0);
    for (int k = 0; k < 8; k++)
        t[k] = k;
    if (t[i] > 3)
        a[i] = 1;
}
