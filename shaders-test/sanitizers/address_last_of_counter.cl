// The rows are counted to one element too many, which is out of range in the last row.
// LAUNCH: global=64 local=32
// ARG: int=1024
// ARG: int=64
kernel void wrong(global const int *in, global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k <= 16; k++)
        sum += in[16 * i + k];                           // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global const int *in, global int *out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 16; k++)
        sum += in[16 * i + k];
    out[i] = sum;
}
