// The result of a division by zero is not used.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int part = 64 / (i - 2);                             // FINDS division-by-zero
    part += i;
    out[i] = i;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int part = 64 / (i + 2);
    part += i;
    out[i] = part;
}
