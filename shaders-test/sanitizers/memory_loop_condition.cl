// The condition of a loop reads a step that the loop sets.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int step, n = 0, i = get_global_id(0);
    while (step < 5 && n < 3) {                          // FINDS uninitialized
        step = n + i;
        n++;
    }
    out[i] = n;
}
kernel void right(global int *out) {
    int step, n = 0, i = get_global_id(0);
    do {
        step = n + i;
        n++;
    } while (step < 5 && n < 3);
    out[i] = n;
}
