// Vectors are loaded from local memory, and their last elements belong to the next work-item.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[66];
    int l = get_local_id(0);
    t[l] = l * l;                                        // FINDS local-race
    if (l < 2)
        t[64 + l] = l;                                   // FINDS local-race
    int3 v = vload3(0, t + l);                           // FINDS local-race
    out[l] = v.x + v.y + v.z;
}
kernel void right(global int *out) {
    local int t[66];
    int l = get_local_id(0);
    t[l] = l * l;
    if (l < 2)
        t[64 + l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int3 v = vload3(0, t + l);
    out[l] = v.x + v.y + v.z;
}
