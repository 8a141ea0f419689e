// The last index of a private list of indices has no value, and selects an element of a buffer.
// LAUNCH: global=4 local=4
// ARG: int=64
// ARG: int=4
kernel void wrong(global const int *in, global int *out) {
    int at[5], i = get_global_id(0), sum = 0;
    for (int k = 0; k < 4; k++)
        at[k] = k * i;
    for (int k = 0; k < 5; k++) {
        int value = in[at[k] & 63];                      // FINDS uninitialized
        sum += value > 0;
    }
    out[i] = sum;
}
kernel void right(global const int *in, global int *out) {
    int at[5], i = get_global_id(0), sum = 0;
    for (int k = 0; k < 5; k++)
        at[k] = k * i;
    for (int k = 0; k < 5; k++) {
        int value = in[at[k] & 63];
        sum += value > 0;
    }
    out[i] = sum;
}
