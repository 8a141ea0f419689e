// No `return` is reached for numbers that are not below the limits.
// LAUNCH: global=16 local=16
// ARG: int=16
int level(int x) {
    if (x < 4)
        return 1;
    if (x < 12)
        return 2;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = level(i);                                   // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    level(i);
    out[i] = i < 12 ? level(i) : 3;
}
