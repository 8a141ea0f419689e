// Two work-items have the same target, since an index is halved.
// LAUNCH: global=128 local=64
// ARG: int=128
kernel void wrong(global int *a) {
    int i = get_global_id(0), at = (i * 33 % 128) >> 1;
    a[at] = i;                                           // FINDS global-race
}
kernel void right(global int *a) {
    int i = get_global_id(0), at = i * 33 % 128;
    a[at] = i;
}
