// Four halves are loaded as a vector behind the last full one.
// LAUNCH: global=8 local=8
// ARG: int=15
// ARG: int=8
kernel void wrong(global const half *in, global float *out) {
    int i = get_global_id(0);
    out[i] = vload_half4(i, in).w;                       // FINDS out-of-range
}
kernel void right(global const half *in, global float *out) {
    int i = get_global_id(0);
    out[i] = i < 7 ? vload_half4(i, in).w : vload_half2(14, in).y;
}
