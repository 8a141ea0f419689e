// The rows of the output are one element shorter than the launch is wide.
// LAUNCH: global=16,8 local=16,2
// ARG: int=136
kernel void wrong(global int *out) {
    int x = get_global_id(0), y = get_global_id(1), pitch = get_global_size(0) - 1;
    out[y * pitch + x] = x - y;                          // FINDS global-race
}
kernel void right(global int *out) {
    int x = get_global_id(0), y = get_global_id(1), pitch = get_global_size(0);
    out[y * pitch + x] = x - y;
}
