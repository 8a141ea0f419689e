// The last vector of four has only two elements.
// LAUNCH: global=8 local=8
// ARG: int=30
// ARG: int=8
kernel void wrong(global const int *in, global int *out) {
    int i = get_global_id(0);
    int4 v = vload4(i, in);                              // FINDS out-of-range
    out[i] = v.x + v.y + v.z + v.w;
}
kernel void right(global const int *in, global int *out) {
    int i = get_global_id(0);
    int4 v = i < 7 ? vload4(i, in) : (int4)(vload2(14, in), 0, 0);
    out[i] = v.x + v.y + v.z + v.w;
}
