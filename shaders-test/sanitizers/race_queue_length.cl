// The length of a queue is read while others still append to it.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int queue[64], length;
    int l = get_local_id(0);
    if (l == 0)
        length = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 3 == 0)
        queue[atomic_inc(&length)] = l;                  // FINDS local-race
    for (int k = l; k < length; k += 64)                 // FINDS local-race
        out[k] = queue[k];                               // FINDS local-race
}
kernel void right(global int *out) {
    local int queue[64], length;
    int l = get_local_id(0);
    if (l == 0)
        length = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 3 == 0)
        queue[atomic_inc(&length)] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < length; k += 64)
        out[k] = queue[k];
}
