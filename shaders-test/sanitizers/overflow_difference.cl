// The difference is below the least int.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = -2147483600 - i * 10;                       // FINDS signed-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = -2147483600 - i * 6;
}
