// A store through a pointer that was computed long before, from the end of another loop.
// LAUNCH: global=4 local=4
// ARG: int=16
kernel void wrong(global int *a) {
    global int *p = a;
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++)
        p += 4;
    p[-i] = 7;                                           // FINDS out-of-range
}
kernel void right(global int *a) {
    global int *p = a;
    int i = get_global_id(0);
    prefetch(a, 16);
    for (int k = 0; k < 4; k++)
        p += 4;
    p[-i - 1] = 7;
}
