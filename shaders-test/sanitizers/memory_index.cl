// An address depends on what nothing wrote, after it was copied and computed with.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    int x, i = get_global_id(0);
    if (i != 5)
        x = i;
    int y = x, z = y & 7;
    a[z] = i;                                            // FINDS uninitialized
}
kernel void right(global int *a) {
    int x, i = get_global_id(0);
    if (i != 5)
        x = i;
    int y = x, z = y & 7;
    if (i != 5)
        a[z] = i;
}
