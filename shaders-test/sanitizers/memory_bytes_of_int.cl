// An int is set byte by byte through a pointer, except for its last byte.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int x;
    uchar *bytes = (uchar *)&x;
    for (int k = 0; k < 3; k++)
        bytes[k] = get_global_id(0);
    out[get_global_id(0)] = x;                           // FINDS uninitialized
}
kernel void right(global int *out) {
    int x;
    uchar *bytes = (uchar *)&x;
    for (int k = 0; k < 4; k++)
        bytes[k] = get_global_id(0);
    out[get_global_id(0)] = x;
}
