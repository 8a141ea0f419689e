// A number of eight bytes is stored at every fourth.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    if (i < 7)
        *(global long *)&a[i] = i;                       // FINDS misaligned
}
kernel void right(global int *a) {
    int i = get_global_id(0);
    if (i < 7)
        *(global long *)&a[2 * i] = i;
}
