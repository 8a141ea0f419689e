// A distance of two to the 32nd is added to a pointer and does not wrap around.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    ulong at = get_global_id(0) + (1ul << 32);
    a[at] = 1;                                           // FINDS out-of-range
}
kernel void right(global int *a) {
    ulong at = get_global_id(0) + (1ul << 32);
    a[(uint)at] = 1;
}
