// The result of a function is converted to its type, a short.
// LAUNCH: global=8 local=8
// ARG: int=8
short area(float width, float height) {
    return width * height;                               // FINDS conversion-range
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = area(100 * i, 90 * i);
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = area(10 * i, 60 * i);
}
