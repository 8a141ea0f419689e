// An index of one member of a structure is that of the next one.
// LAUNCH: global=8 local=8
// ARG: int=8
struct pair {
    int a[4], b[4];
};
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    struct pair s = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    out[i] = s.a[i];                                     // FINDS array-index
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    struct pair s = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    out[i] = i < 4 ? s.a[i] : s.b[i - 4];
}
