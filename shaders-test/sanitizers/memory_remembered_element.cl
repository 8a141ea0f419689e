// The element before is stored in each iteration, and the first one has none.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global int *out) {
    int i = get_global_id(0), before;
    for (int k = 0; k < 4; k++) {
        int now = i * k + 1;
        if (k > 0)
            out[4 * i + k] = now - before;
        else
            out[4 * i + k] = before;                     // FINDS uninitialized
        before = now;
    }
}
kernel void right(global int *out) {
    int i = get_global_id(0), before;
    for (int k = 0; k < 4; k++) {
        int now = i * k + 1;
        if (k > 0)
            out[4 * i + k] = now - before;
        else
            out[4 * i + k] = now;
        before = now;
    }
}
