// The argument of a sine has no value.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    float angle;
    int i = get_global_id(0);
    if (i < 4)
        angle = i * 0.5f;
    out[i] = sin(angle) * 2;                             // FINDS uninitialized
}
kernel void right(global float *out) {
    float angle = 1;
    int i = get_global_id(0);
    if (i < 4)
        angle = i * 0.5f;
    out[i] = sin(angle) * 2;
}
