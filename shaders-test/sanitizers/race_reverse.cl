// An array is reversed in place by all work-items, so that each pair is exchanged twice.
// LAUNCH: global=128 local=32
// ARG: int=128
kernel void wrong(global int *a) {
    int i = get_global_id(0), j = 127 - i;
    int x = a[i], y = a[j];                              // FINDS global-race
    a[i] = y + 1;                                        // FINDS global-race
    a[j] = x + 2;                                        // FINDS global-race
}
kernel void right(global int *a) {
    int i = get_global_id(0), j = 127 - i;
    if (i < j) {
        int x = a[i], y = a[j];
        a[i] = y + 1;
        a[j] = x + 2;
    }
}
