// An assignment converts without being asked, also one with an operator.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), total = 1000 * i;
    total *= 1e6f;                                       // FINDS conversion-range
    out[i] = total;
}
kernel void right(global int *out) {
    int i = get_global_id(0), total = 1000 * i;
    total *= 3e5f;
    out[i] = total;
}
