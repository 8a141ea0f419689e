// Work-items change a buffer while their neighbours read it, in other work-groups, too.
// LAUNCH: global=128 local=32
// ARG: int=129
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    a[i] = a[i + 1] + 1;                                 // FINDS global-race
}
kernel void right(global int *a) {
    int i = get_global_id(0);
    a[i] = a[i] + 1;
}
