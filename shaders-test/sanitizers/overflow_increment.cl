// A counter is at the greatest int.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int x = INT_MAX - i;
    x++;                                                 // FINDS signed-overflow
    out[i] = x;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    uint x = 0xffffffffu - i;
    x++;
    out[i] = x;
}
