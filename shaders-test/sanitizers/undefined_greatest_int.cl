// INT_MAX as a float is 2147483648, which is no int.
// LAUNCH: global=5 local=5
// ARG: int=5
kernel void wrong(global int *out) {
    float part = get_global_id(0) * 0.25f;
    out[get_global_id(0)] = (int)(part * INT_MAX);       // FINDS conversion-range
}
kernel void right(global int *out) {
    float part = get_global_id(0) * 0.25f;
    out[get_global_id(0)] = (int)(part * 2147483520.0f);
}
