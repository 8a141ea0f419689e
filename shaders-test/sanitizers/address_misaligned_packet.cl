// A number of four bytes is read from the middle of a packet of bytes.
// LAUNCH: global=4 local=4
// ARG: int=16
// ARG: int=4
kernel void wrong(global const uchar *packets, global uint *lengths) {
    int i = get_global_id(0);
    lengths[i] = *(global const uint *)(packets + 8 * i + 1); // FINDS misaligned
}
kernel void right(global const uchar *packets, global uint *lengths) {
    int i = get_global_id(0);
    global const uchar *p = packets + 8 * i + 1;
    lengths[i] = p[0] | p[1] << 8 | p[2] << 16 | (uint)p[3] << 24;
}
