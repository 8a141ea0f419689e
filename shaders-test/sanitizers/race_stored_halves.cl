// Halves are stored two at a time, one half too far.
// LAUNCH: global=64 local=16
// ARG: int=65
kernel void wrong(global half *out) {
    int i = get_global_id(0);
    vstore_half((float)i, 2 * i, out);                   // FINDS global-race
    vstore_half(-1.0f - i, 2 * i + 2, out);              // FINDS global-race
}
kernel void right(global half *out) {
    int i = get_global_id(0);
    vstore_half((float)i, 2 * i, out);
    vstore_half(-1.0f - i, 2 * i + 1, out);
}
