// A pointer to the first lane of a vector is used for its fifth.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int4 v = (int4)(1, 2, 3, 4);
    int *lanes = (int *)&v, i = get_global_id(0);
    out[i] = lanes[i % 5];                               // FINDS out-of-range
}
kernel void right(global int *out) {
    int4 v = (int4)(1, 2, 3, 4);
    int *lanes = (int *)&v, i = get_global_id(0);
    out[i] = lanes[i % 4];
}
