// The first work-item of the launch sets a local variable, and the other groups have no such work-item.
// LAUNCH: global=128 local=32
// ARG: int=128
kernel void wrong(global int *out) {
    local int scale;
    if (get_global_id(0) == 0)
        scale = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scale * get_local_id(0);     // FINDS uninitialized
}
kernel void right(global int *out) {
    local int scale;
    if (get_local_id(0) == 0)
        scale = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scale * get_local_id(0);
}
