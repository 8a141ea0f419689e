// Elements that an initializer leaves out are zero; without an initializer they have no value.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int t[8], i = get_global_id(0);
    t[0] = 1, t[1] = 2;
    out[i] = t[i];                                       // FINDS uninitialized
}
kernel void right(global int *out) {
    int t[8] = { 1, 2 }, i = get_global_id(0);
    out[i] = t[i];
}
