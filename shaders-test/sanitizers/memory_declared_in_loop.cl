// A variable that each iteration declares anew is set in the first iterations only.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        int x;
        if (k < 2)
            x = k;
        out[4 * i + k] = x;                              // FINDS uninitialized
    }
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        int x;
        if (k < 2)
            x = k;
        out[4 * i + k] = k < 2 ? x : 0;
    }
}
