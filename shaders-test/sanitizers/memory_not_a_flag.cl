// The negation of a flag is stored that some work-items have not set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    bool is_odd;
    int i = get_global_id(0);
    if (i < 3)
        is_odd = i & 1;
    out[i] = !is_odd;                                    // FINDS uninitialized
}
kernel void right(global int *out) {
    bool is_odd[2];
    int i = get_global_id(0);
    is_odd[0] = is_odd[1] = i & 1;
    out[i] = !is_odd[i & 1];
}
