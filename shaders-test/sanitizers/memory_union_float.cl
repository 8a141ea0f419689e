// The bits of a float are read from a union whose other half was set.
// LAUNCH: global=8 local=8
// ARG: int=8
union bits { long wide; float halves[2]; };
kernel void wrong(global float *out) {
    union bits u;
    u.halves[0] = get_global_id(0);
    long copy = u.wide >> 32;
    out[get_global_id(0)] = (int)copy;                   // FINDS uninitialized
}
kernel void right(global float *out) {
    union bits u;
    u.halves[0] = u.halves[1] = get_global_id(0);
    long copy = u.wide >> 32;
    out[get_global_id(0)] = as_float((int)copy);
}
