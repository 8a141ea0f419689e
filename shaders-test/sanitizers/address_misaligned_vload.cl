// vload4 of ints needs the alignment of an int, which an odd byte does not have.
// LAUNCH: global=4 local=4
// ARG: int=8
// ARG: int=4
kernel void wrong(global const uchar *in, global int *out) {
    int i = get_global_id(0);
    out[i] = vload4(0, (global const int *)(in + 3 * i)).w; // FINDS misaligned
}
kernel void right(global const uchar *in, global int *out) {
    int i = get_global_id(0);
    out[i] = vload4(0, (global const int *)(in + 4 * i)).w;
}
