// The least int has no negative.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int x = INT_MIN + i;
    out[i] = -x;                                         // FINDS signed-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int x = INT_MIN + 1 + i;
    out[i] = -x;
}
