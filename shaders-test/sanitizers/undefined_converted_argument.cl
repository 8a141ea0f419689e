// An argument is converted to the parameter's type, a byte.
// LAUNCH: global=8 local=8
// ARG: int=8
int grey(uchar red, uchar green) {
    return red / 2 + green / 2;
}
kernel void wrong(global int *out) {
    float light = get_global_id(0) * 40.0f;
    out[get_global_id(0)] = grey(light, 10.0f);          // FINDS conversion-range
}
kernel void right(global int *out) {
    float light = get_global_id(0) * 36.0f;
    out[get_global_id(0)] = grey(light, 10.0f);
}
