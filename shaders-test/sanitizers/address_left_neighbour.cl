// The difference to the left neighbour is taken for the first element, too.
// LAUNCH: global=16 local=16
// ARG: int=16
// ARG: int=16
kernel void wrong(global const int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = in[i] - in[i - 1];                          // FINDS out-of-range
}
kernel void right(global const int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}
