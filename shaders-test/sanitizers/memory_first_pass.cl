// A variable is set in the second pass of a loop and read in the first one.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global int *out) {
    int i = get_global_id(0), previous;
    for (int k = 0; k < 4; k++) {
        if (k == 1)
            previous = i;
        out[4 * i + k] = previous + k;                   // FINDS uninitialized
    }
}
kernel void right(global int *out) {
    int i = get_global_id(0), previous;
    for (int k = 0; k < 4; k++) {
        if (k == 0)
            previous = i;
        out[4 * i + k] = previous + k;
    }
}
