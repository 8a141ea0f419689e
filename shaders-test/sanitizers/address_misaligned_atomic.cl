// An atomic addition to an int that begins in the middle of another one.
// LAUNCH: global=4 local=4
// ARG: int=8
kernel void wrong(global char *a) {
    atomic_add((global int *)(a + 8 * (get_global_id(0) & 1) + 2), 1); // FINDS misaligned
}
kernel void right(global char *a) {
    atomic_add((global int *)(a + 8 * (get_global_id(0) & 1) + 4), 1);
}
