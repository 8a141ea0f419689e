// A product in an index overflows in the middle of a loop, whose first and last elements are in range.
// LAUNCH: global=64 local=32
// ARG: int=80
// ARG: int=64
kernel void wrong(global const int *in, global int *out) {
    uint i = get_global_id(0), sum = 0, factor = get_global_size(0) << 25;
    for (uint k = 0; k < 3; k++)
        sum += in[k * factor + i];                       // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global const int *in, global int *out) {
    uint i = get_global_id(0), sum = 0, factor = get_global_size(0) << 26;
    for (uint k = 0; k < 3; k++)
        sum += in[k * factor + i];
    out[i] = sum;
}
