// The arrays of a structure are filled with one count, which is too large for the second.
// LAUNCH: global=8 local=8
// ARG: int=8
struct table { int keys[6]; uchar marks[4]; };
kernel void wrong(global int *out) {
    struct table t;
    int i = get_global_id(0), n = i;
    for (int k = 0; k < 6; k++) {
        t.keys[k] = k;
        t.marks[k + 2] = n;                              // FINDS out-of-range
    }
    out[i] = t.keys[i % 6];
}
kernel void right(global int *out) {
    struct table t;
    int i = get_global_id(0), n = i;
    for (int k = 0; k < 6; k++) {
        t.keys[k] = k;
        if (k < 4)
            t.marks[k] = n;
    }
    out[i] = t.keys[i % 6] + t.marks[3];
}
