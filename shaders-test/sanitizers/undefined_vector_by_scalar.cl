// A vector of three is divided by a scalar that is zero.
// LAUNCH: global=8 local=8
// ARG: int=24
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int3 v = (int3)(i, 2 * i, 3 * i);
    vstore3(v / (i - 3), i, out);                        // FINDS division-by-zero
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int3 v = (int3)(i, 2 * i, 3 * i);
    v /= (int3)(i + 1, 2, 3);
    vstore3(v, i, out);
}
