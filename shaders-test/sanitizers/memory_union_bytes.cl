// Three bytes of a word are set, and the word is read.
// LAUNCH: global=8 local=8
// ARG: int=8
union word { uchar bytes[4]; uint all; };
kernel void wrong(global uint *out) {
    union word w;
    for (int k = 0; k < 3; k++)
        w.bytes[k] = get_global_id(0) + k;
    out[get_global_id(0)] = w.all;                       // FINDS uninitialized
}
kernel void right(global uint *out) {
    union word w;
    for (int k = 0; k < 4; k++)
        w.bytes[k] = get_global_id(0) + k;
    out[get_global_id(0)] = w.all;
}
