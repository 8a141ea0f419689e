// A variable that only some work-items set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    int x, i = get_global_id(0);
    if (i > 3)
        x = 1;
    a[i] = x;                                            // FINDS uninitialized
}
kernel void right(global int *a) {
    int x, i = get_global_id(0);
    if (i > 3)
        x = 1;
    else
        x = 2;
    a[i] = x;
}
