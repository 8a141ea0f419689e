// An atomic counter that is read by a plain load at the same time.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *a) {
    atomic_inc(&a[0]);                                   // FINDS global-race
    if (a[0] == 64)                                      // FINDS global-race
        atomic_inc(&a[1]);
}
kernel void right(global int *a) {
    if (atomic_inc(&a[0]) == 63)
        atomic_inc(&a[1]);
}
