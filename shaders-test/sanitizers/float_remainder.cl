// The remainder of a division by zero is none.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = fmod(7.0f, (float)(i / 2));                 // FINDS not-finite
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = fmod(7.0f, (float)(i / 2 + 1));
}
