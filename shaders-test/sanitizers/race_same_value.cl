// All write the same value, which is no report; different values are.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *a) {
    a[1] = get_global_id(0) & 1;                         // FINDS global-race
}
kernel void right(global int *a) {
    a[1] = 1;
}
