// Work-items take elements in steps of the size of the launch, and the wrong ones in shorter steps.
// LAUNCH: global=64 local=32
// ARG: int=256
kernel void wrong(global int *out) {
    for (uint i = get_global_id(0); i < 256; i += get_global_size(0) - 1)
        out[i] = 100 * get_global_id(0) + i;             // FINDS global-race
}
kernel void right(global int *out) {
    for (uint i = get_global_id(0); i < 256; i += get_global_size(0))
        out[i] = 100 * get_global_id(0) + i;
}
