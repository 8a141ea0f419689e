// Only the even lanes of a vector are set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int8 v;
    int i = get_global_id(0);
    v.even = (int4)(i, i + 1, i + 2, i + 3);
    if (v.s3 > i)                                        // FINDS uninitialized
        out[i] = v.s2;
}
kernel void right(global int *out) {
    int8 v;
    int i = get_global_id(0);
    v.even = (int4)(i, i + 1, i + 2, i + 3);
    if (v.s4 > i)
        out[i] = v.s2;
}
