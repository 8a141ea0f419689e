// Each work-item writes a column in a loop; the rows are one element shorter than the launch is wide.
// LAUNCH: global=64 local=32
// ARG: int=512
kernel void wrong(global int *out) {
    uint i = get_global_id(0), pitch = get_global_size(0) - 1;
    for (uint k = 0; k < 8; k++)
        out[k * pitch + i] = 100 * i + k;                // FINDS global-race
}
kernel void right(global int *out) {
    uint i = get_global_id(0), pitch = get_global_size(0);
    for (uint k = 0; k < 8; k++)
        out[k * pitch + i] = 100 * i + k;
}
