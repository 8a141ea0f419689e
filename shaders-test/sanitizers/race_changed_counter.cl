// The counter of a loop is changed in the loop, so that it leaves the work-item's row.
// LAUNCH: global=64 local=32
// ARG: int=520
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    for (int k = 0; k < 8; k++) {
        if (k == 7)
            k = 8;
        out[8 * i + k] = 100 * i + k;                    // FINDS global-race
    }
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    for (int k = 0; k < 8; k++) {
        if (k == 6)
            k = 7;
        out[8 * i + k] = 100 * i + k;
    }
}
