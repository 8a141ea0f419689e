// A byte of zero is promoted to an int of zero and divides.
// LAUNCH: global=256 local=64
// ARG: int=256
kernel void wrong(global int *out) {
    uchar alpha = get_global_id(0) * 4;
    out[get_global_id(0)] = 255 * 16 / alpha;            // FINDS division-by-zero
}
kernel void right(global int *out) {
    uchar alpha = get_global_id(0) * 4 + 1;
    out[get_global_id(0)] = 255 * 16 / alpha;
}
