// An unsigned index begins below zero, and is good in the last iterations.
// LAUNCH: global=64 local=32
// ARG: int=80
// ARG: int=64
kernel void wrong(global const int *in, global int *out) {
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += in[i + k - 4];                            // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global const int *in, global int *out) {
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += in[i + k + 4];
    out[i] = sum;
}
