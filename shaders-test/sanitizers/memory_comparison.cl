// The comparison of two vectors has a lane without a value, and "all" depends on each.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int2 limit;
    int i = get_global_id(0);
    limit.x = 3;
    if (all((int2)(i, i) >= limit))                      // FINDS uninitialized
        out[i] = 1;
}
kernel void right(global int *out) {
    int2 limit;
    int i = get_global_id(0);
    limit.x = limit.y = 3;
    if (all((int2)(i, i) >= limit))
        out[i] = 1;
}
