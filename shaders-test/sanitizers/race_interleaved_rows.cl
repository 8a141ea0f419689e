// A tile of a matrix is written by groups whose tiles overlap by one column.
// LAUNCH: global=8,16 local=4,4
// ARG: int=128
kernel void wrong(global int *m) {
    int x = get_group_id(0) * (get_local_size(0) - 1) + get_local_id(0), y = get_global_id(1);
    m[8 * y + x] = get_global_id(0) + y;                 // FINDS global-race
}
kernel void right(global int *m) {
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0), y = get_global_id(1);
    m[8 * y + x] = get_global_id(0) + y;
}
