// A constant has no place in an int.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    float far = 3e9f;
    int steps = (int)far;                                // FINDS conversion-range
    out[get_global_id(0)] = steps;
}
kernel void right(global int *out) {
    float far = 3e9f;
    uint steps = (uint)far;
    out[get_global_id(0)] = steps;
}
