// A list of numbers of two bytes is read as vectors from every position.
// LAUNCH: global=8 local=8
// ARG: int=8
// ARG: int=8
kernel void wrong(global const short *in, global int *out) {
    int i = get_global_id(0);
    short2 v = *(global const short2 *)(in + i);         // FINDS misaligned
    out[i] = v.x + v.y;
}
kernel void right(global const short *in, global int *out) {
    int i = get_global_id(0);
    short2 v = *(global const short2 *)(in + 2 * i);
    out[i] = v.x + v.y;
}
