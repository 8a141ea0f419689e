// Halves are stored with an index that counts bytes.
// LAUNCH: global=16 local=16
// ARG: int=8
kernel void wrong(global half *out) {
    int i = get_global_id(0);
    vstore_half(i * 0.5f, 2 * i, out);                   // FINDS out-of-range
}
kernel void right(global half *out) {
    int i = get_global_id(0);
    vstore_half(i * 0.5f, i, out);
}
