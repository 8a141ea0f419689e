// vload_half needs an address that is a multiple of two.
// LAUNCH: global=8 local=8
// ARG: int=8
// ARG: int=8
kernel void wrong(global const uchar *in, global float *out) {
    int i = get_global_id(0);
    out[i] = vload_half(0, (global const half *)(in + i)); // FINDS misaligned
}
kernel void right(global const uchar *in, global float *out) {
    int i = get_global_id(0);
    out[i] = vload_half(0, (global const half *)(in + 2 * i));
}
