// Bytes are moved by more than the width.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = 1 << (i * 8);                               // FINDS shift-count
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = 1 << (i % 4 * 8);
}
