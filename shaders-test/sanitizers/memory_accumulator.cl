// A sum starts with what the variable holds.
// LAUNCH: global=8 local=8
// ARG: int=64
// ARG: int=8
kernel void wrong(global const float *in, global float *out) {
    float sum;
    for (int k = 0; k < 8; k++)
        sum += in[8 * get_global_id(0) + k];
    out[get_global_id(0)] = sum;                         // FINDS uninitialized
}
kernel void right(global const float *in, global float *out) {
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += in[8 * get_global_id(0) + k];
    out[get_global_id(0)] = sum;
}
