// The mask of 32 bits needs a shift by 32.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int n = i + 25;
    out[i] = (1u << n) - 1;                              // FINDS shift-count
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int n = i + 25;
    out[i] = n < 32 ? (1u << n) - 1 : ~0u;
}
