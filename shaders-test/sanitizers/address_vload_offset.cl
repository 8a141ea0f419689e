// The offset of vload counts vectors, and the kernel counts elements.
// LAUNCH: global=8 local=8
// ARG: int=16
// ARG: int=8
kernel void wrong(global const float *pairs, global float *out) {
    int i = get_global_id(0);
    float2 pair = vload2(2 * i, pairs);                  // FINDS out-of-range
    out[i] = pair.x + pair.y;
}
kernel void right(global const float *pairs, global float *out) {
    int i = get_global_id(0);
    float2 pair = vload2(i, pairs);
    out[i] = pair.x + pair.y;
}
