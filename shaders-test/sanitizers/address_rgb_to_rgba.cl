// Pixels of three bytes are written as vectors of four.
// LAUNCH: global=16 local=8
// ARG: int=12
kernel void wrong(global uchar *rgb) {
    int i = get_global_id(0);
    vstore4((uchar4)(i, i, i, 255), 0, rgb + 3 * i);     // FINDS out-of-range
}
kernel void right(global uchar *rgb) {
    int i = get_global_id(0);
    vstore3((uchar3)(i, i, i), i, rgb);
}
