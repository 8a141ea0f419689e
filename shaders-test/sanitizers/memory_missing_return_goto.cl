// A jump to the end leaves the function without a value.
// LAUNCH: global=8 local=8
// ARG: int=8
long scaled(int x) {
    long result = x * 3L;
    if (x > 5)
        goto end;
    return result;
end:
    result = 0;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = (int)scaled(i);                             // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = (int)scaled(min(i, 5));
}
