// A pointer chooses between two arrays, and the index is that of the longer one.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int coarse[4], fine[8], i = get_global_id(0);
    for (int k = 0; k < 8; k++) {
        fine[k] = k;
        coarse[k / 2] = k;
    }
    const int *table = i % 3 ? fine : coarse;
    out[i] = table[i];                                   // FINDS out-of-range
}
kernel void right(global int *out) {
    int coarse[4], fine[8], i = get_global_id(0);
    for (int k = 0; k < 8; k++) {
        fine[k] = k;
        coarse[k / 2] = k;
    }
    const int *table = i % 3 ? fine : coarse;
    out[i] = table[i % 3 ? i : i / 2];
}
