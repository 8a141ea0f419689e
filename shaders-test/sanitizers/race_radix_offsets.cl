// The places of a radix sort are taken from offsets that all work-items advance.
// LAUNCH: global=64 local=32
// ARG: int=4
// ARG: int=64
kernel void wrong(global int *offsets, global int *sorted) {
    int key = get_global_id(0), digit = key & 3;
    sorted[16 * digit + offsets[digit]++] = key;         // FINDS global-race
}
kernel void right(global int *offsets, global int *sorted) {
    int key = get_global_id(0), digit = key & 3;
    sorted[16 * digit + atomic_inc(&offsets[digit])] = key;
}
