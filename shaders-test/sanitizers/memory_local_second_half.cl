// A local argument holds two arrays, and only the first one is filled.
// LAUNCH: global=64 local=32
// ARG: int=64
// ARG: local=256
kernel void wrong(global int *out, local int *shared) {
    local int *keys = shared, *values = shared + 32;
    int l = get_local_id(0);
    keys[l] = 31 - l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = values[keys[l]];             // FINDS uninitialized
}
kernel void right(global int *out, local int *shared) {
    local int *keys = shared, *values = shared + 32;
    int l = get_local_id(0);
    keys[l] = 31 - l;
    values[l] = l * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = values[keys[l]];
}
