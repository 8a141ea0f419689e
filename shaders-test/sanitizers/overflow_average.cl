// The middle of two great indices.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int low = 1500000000, high = low + i * 90000000;
    out[i] = (low + high) / 2;                           // FINDS signed-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int low = 1500000000, high = low + i * 90000000;
    out[i] = low + (high - low) / 2 - hadd(low, high);
}
