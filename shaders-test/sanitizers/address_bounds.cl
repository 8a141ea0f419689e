// An index past the end.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    a[get_global_id(0) + 1] = 1;                         // FINDS out-of-range
}
kernel void right(global int *a) {
    a[get_global_id(0)] = 1;
}
