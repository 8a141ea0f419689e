// A vector is loaded from the last elements of a private array, and one of them is missing.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int t[10], i = get_global_id(0);
    for (int k = 0; k < 10; k++)
        t[k] = k * k;
    int4 v = vload4(0, t + i);                           // FINDS out-of-range
    out[i] = v.x + v.w;
}
kernel void right(global int *out) {
    int t[11], i = get_global_id(0);
    for (int k = 0; k < 11; k++)
        t[k] = k * k;
    int4 v = vload4(0, t + i);
    out[i] = v.x + v.w;
}
