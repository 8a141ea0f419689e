// A work-item looks once at a flag that another one sets without an atomic.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int ready, data;
    int l = get_local_id(0);
    if (l == 32)
        ready = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        data = 42;                                       // FINDS local-race
        ready = 1;                                       // FINDS local-race
    }
    if (l == 40 && ready)                                // FINDS local-race
        out[l] = data;                                   // FINDS local-race
}
kernel void right(global int *out) {
    local int ready, data;
    int l = get_local_id(0);
    if (l == 32)
        ready = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        data = 42;
        ready = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 40 && ready)
        out[l] = data;
}
