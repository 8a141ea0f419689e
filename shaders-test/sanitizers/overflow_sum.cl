// The sum is beyond the greatest int.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = INT_MAX - 3 + i;                            // FINDS signed-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = INT_MAX - 7 + i;
}
