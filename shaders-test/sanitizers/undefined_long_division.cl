// A difference of two numbers of eight bytes is zero for one work-item.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global long *out) {
    long i = get_global_id(0), far = 0x500000000;
    out[i] = (far * 3) / (far - (i << 32));              // FINDS division-by-zero
}
kernel void right(global long *out) {
    long i = get_global_id(0), far = 0x500000000;
    out[i] = (far * 3) / (far - (i << 32) + 1);
}
