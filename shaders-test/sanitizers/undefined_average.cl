// The average of the elements that pass a filter is taken where none passes.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), sum = 0, count = 0;
    for (int k = 0; k < 8; k++)
        if (k * i % 8 > 4) {
            sum += k;
            count++;
        }
    out[i] = sum / count;                                // FINDS division-by-zero
}
kernel void right(global int *out) {
    int i = get_global_id(0), sum = 0, count = 0;
    for (int k = 0; k < 8; k++)
        if (k * i % 8 > 4) {
            sum += k;
            count++;
        }
    out[i] = count ? sum / count : 0;
}
