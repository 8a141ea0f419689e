// One of four counts is too great in the last work-items.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int4 v = (int4)(i) << (int4)(1, i * 6, 31, 2);       // FINDS shift-count
    out[i] = v.x + v.w;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int4 v = (int4)(i) << (int4)(1, i * 4, 31, 2);
    out[i] = v.x + v.w;
}
