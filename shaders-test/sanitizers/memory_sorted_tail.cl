// An insertion sort goes over one element more than the list has.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int list[6], i = get_global_id(0), moves = 0;
    for (int k = 0; k < 5; k++)
        list[k] = (i * k * 3) % 7;
    for (int n = 1; n < 6; n++) {
        int key = list[n], at = n;
        while (at > 0 && list[at - 1] > key) {           // FINDS uninitialized
            list[at] = list[at - 1];
            at--, moves++;
        }
        list[at] = key;
    }
    out[i] = moves;
}
kernel void right(global int *out) {
    int list[6], i = get_global_id(0), moves = 0;
    for (int k = 0; k < 5; k++)
        list[k] = (i * k * 3) % 7;
    for (int n = 1; n < 5; n++) {
        int key = list[n], at = n;
        while (at > 0 && list[at - 1] > key) {
            list[at] = list[at - 1];
            at--, moves++;
        }
        list[at] = key;
    }
    out[i] = moves + list[2];
}
