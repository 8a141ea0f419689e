// A percentage of a total is taken before there is anything.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), total = 0;
    for (int k = 0; k < i; k++)
        total += k & 1;
    out[i] = 100 * total / total;                        // FINDS division-by-zero
}
kernel void right(global int *out) {
    int i = get_global_id(0), total = 0;
    for (int k = 0; k < i; k++)
        total += k & 1;
    out[i] = total ? 100 * total / total : 0;
}
