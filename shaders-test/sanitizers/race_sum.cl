// A sum in global memory without atomics.
// LAUNCH: global=128 local=32
// ARG: int=128
kernel void wrong(global int *a) {
    a[0] += get_global_id(0);                            // FINDS global-race
}
kernel void right(global int *a) {
    atomic_add(&a[0], (int)get_global_id(0));
}
