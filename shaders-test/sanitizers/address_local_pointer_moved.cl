// A pointer to local memory is moved by the size of a group in bytes.
// LAUNCH: global=32 local=16
// ARG: int=32
// ARG: local=128
kernel void wrong(global int *out, local int *shared) {
    local int *second = shared + get_local_size(0) * sizeof(int);
    int l = get_local_id(0);
    shared[l] = l;
    second[l] = -l;                                      // FINDS out-of-range
    out[get_global_id(0)] = shared[l];
}
kernel void right(global int *out, local int *shared) {
    local int *second = shared + get_local_size(0);
    int l = get_local_id(0);
    shared[l] = l;
    second[l] = -l;
    out[get_global_id(0)] = shared[l] + second[l];
}
