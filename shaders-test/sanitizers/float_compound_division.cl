// An assignment divides by the number of a row.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float share = 12;
    share /= i;                                          // FINDS not-finite
    out[i] = share;
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float share = 12;
    share /= i + 1;
    out[i] = share;
}
