// A scale of zero in a structure that a function gets by a pointer.
// LAUNCH: global=8 local=8
// ARG: int=8
struct axis { int origin; uchar scale; };
int scaled(const struct axis *a, int x) {
    return (x - a->origin) / a->scale;                   // FINDS division-by-zero
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    struct axis axis = { i, i * 64 };
    out[i] = scaled(&axis, 100);
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    struct axis axis = { i, i * 16 + 1 };
    out[i] = scaled(&axis, 100);
}
