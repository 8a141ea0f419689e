// A function gets a part of the buffer and reads the element before it, which the first part does not have.
// LAUNCH: global=32 local=8
// ARG: int=32
// ARG: int=32
int slope(global const int *part, size_t at) {
    return part[at] - part[(int)at - 1];                 // FINDS out-of-range
}
kernel void wrong(global const int *in, global int *out) {
    out[get_global_id(0)] = slope(in + 8 * get_group_id(0), get_local_id(0));
}
kernel void right(global const int *in, global int *out) {
    if (get_global_id(0) > 0)
        out[get_global_id(0)] = slope(in + 8 * get_group_id(0), get_local_id(0));
}
