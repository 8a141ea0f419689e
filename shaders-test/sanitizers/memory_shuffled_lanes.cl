// A shuffle moves the lane without a value to the place of another one.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int4 v;
    int i = get_global_id(0);
    v.s012 = (int3)(i, i + 1, i + 2);
    int4 w = shuffle(v, (uint4)(3, 2, 1, 0));
    out[i] = w.x + w.y;                                  // FINDS uninitialized
}
kernel void right(global int *out) {
    int4 v;
    int i = get_global_id(0);
    v.s012 = (int3)(i, i + 1, i + 2);
    int4 w = shuffle(v, (uint4)(3, 2, 1, 0));
    out[i] = w.z + w.y;
}
