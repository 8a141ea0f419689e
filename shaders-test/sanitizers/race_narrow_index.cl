// An index of eight bits wraps around, so that two groups write to one place.
// LAUNCH: global=512 local=64
// ARG: int=512
kernel void wrong(global int *a) {
    uchar i = get_global_id(0);
    a[i] = get_global_id(0);                             // FINDS global-race
}
kernel void right(global int *a) {
    ushort i = get_global_id(0);
    a[i] = get_global_id(0);
}
