// A retry halves the step until it is zero and divides by it.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), step = 4, tries = 0, parts;
retry:
    parts = (i + 8) / step;                              // FINDS division-by-zero
    step /= 2;
    if (parts < 12 && tries++ < 3)
        goto retry;
    out[i] = parts;
}
kernel void right(global int *out) {
    int i = get_global_id(0), step = 4, tries = 0, parts;
retry:
    parts = (i + 8) / step;
    step /= 2;
    if (step > 0 && parts < 12 && tries++ < 3)
        goto retry;
    out[i] = parts;
}
