// The count is negative in the first work-items.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = 64 >> (i - 2);                              // FINDS shift-count
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = 64 >> max(i - 2, 0);
}
