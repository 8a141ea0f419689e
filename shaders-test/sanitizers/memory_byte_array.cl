// A number is composed of four bytes, of which the header has set three.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global uint *out) {
    uchar header[4];
    uint i = get_global_id(0);
    header[0] = 'B';
    header[1] = 'M';
    header[3] = i;
    uint word = header[0] | header[1] << 8 | header[2] << 16 | header[3] << 24;
    out[i] = word;                                       // FINDS uninitialized
}
kernel void right(global uint *out) {
    uchar header[4];
    uint i = get_global_id(0);
    header[0] = 'B';
    header[1] = 'M';
    header[2] = header[3] = i;
    uint word = header[0] | header[1] << 8 | header[2] << 16 | header[3] << 24;
    out[i] = word;
}
