// The local id is used where the global id is needed.
// LAUNCH: global=128 local=32
// ARG: int=128
kernel void wrong(global int *a) {
    a[get_local_id(0)] = get_global_id(0);               // FINDS global-race
}
kernel void right(global int *a) {
    a[get_global_id(0)] = get_global_id(0);
}
