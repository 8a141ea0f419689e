// A launch of three dimensions stores by two of its indices.
// LAUNCH: global=4,4,4 local=4,4,1
// ARG: int=64
kernel void wrong(global int *a) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    a[4 * y + x] = x + y + 10 * z;                       // FINDS global-race
}
kernel void right(global int *a) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    a[16 * z + 4 * y + x] = x + y + 10 * z;
}
