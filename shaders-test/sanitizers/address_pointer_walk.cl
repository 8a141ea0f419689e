// A pointer walks up to the end of the buffer and is used there once more.
// LAUNCH: global=4 local=4
// ARG: int=64
kernel void wrong(global int *a) {
    int step = get_global_size(0);
    global int *end = a + 64;
    for (global int *p = a + get_global_id(0); p <= end; p += step)
        *p = step;                                       // FINDS out-of-range
}
kernel void right(global int *a) {
    int step = get_global_size(0);
    global int *end = a + 64;
    for (global int *p = a + get_global_id(0); p < end; p += step)
        *p = step;
}
