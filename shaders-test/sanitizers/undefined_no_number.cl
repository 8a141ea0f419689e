// The root of a negative number is no number, and no integer stands for that.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    float root = sqrt(4.0f - i);
    out[i] = (int)root;                                  // FINDS conversion-range
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    float root = sqrt(fabs(4.0f - i));
    out[i] = (int)root;
}
