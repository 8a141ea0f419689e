// What is added to a counter was set for even work-items only.
// LAUNCH: global=8 local=8
// ARG: int=1
kernel void wrong(global int *total) {
    int part;
    if (get_global_id(0) % 2 == 0)
        part = 3;
    atomic_add(total, part);                             // FINDS uninitialized
}
kernel void right(global int *total) {
    int part;
    if (get_global_id(0) % 2 == 0) {
        part = 3;
        atomic_add(total, part);
    }
}
