// A number of sixteen bits is stored with its neighbour, which belongs to another work-item.
// LAUNCH: global=64 local=16
// ARG: int=64
kernel void wrong(global ushort *a) {
    int i = get_global_id(0);
    *(global ushort2 *)(a + (i & ~1)) = (ushort2)(i, i + 1); // FINDS global-race
}
kernel void right(global ushort *a) {
    int i = get_global_id(0);
    a[i] = i + 1;
}
