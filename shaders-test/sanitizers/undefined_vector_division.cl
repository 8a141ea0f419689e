// One lane of a vector is divided by zero.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global int4 *a) {
    int i = get_global_id(0);
    a[i] = (int4)(9) / (int4)(1, 2, 5 - i, 4);           // FINDS division-by-zero
}
kernel void right(global int4 *a) {
    int i = get_global_id(0);
    a[i] = (int4)(9) / (int4)(1, 2, 9 - i, 4);
}
