// One lane of a sum is too great.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int4 v = (int4)(1, 2, INT_MAX - 6, 4) + i;           // FINDS signed-overflow
    out[i] = v.x;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int4 v = (int4)(1, 2, INT_MAX - 7, 4) + i;
    out[i] = v.x;
}
