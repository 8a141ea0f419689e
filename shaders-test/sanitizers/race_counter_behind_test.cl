// The element of the counter is written before the loop's test, so also the one that the loop ends with.
// LAUNCH: global=64 local=32
// ARG: int=257
kernel void wrong(global int *out) {
    int i = get_global_id(0), k = 0;
    while (1) {
        out[4 * i + k] = 100 * i + k;                    // FINDS global-race
        if (k >= 4)
            break;
        k++;
    }
}
kernel void right(global int *out) {
    int i = get_global_id(0), k = 0;
    while (1) {
        if (k >= 4)
            break;
        out[4 * i + k] = 100 * i + k;
        k++;
    }
}
