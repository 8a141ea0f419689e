// Two pointers are exchanged without a third one, so that both point to one buffer.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: local=256
// ARG: local=256
kernel void wrong(global int *out, local int *a, local int *b) {
    local int *from = a, *to = b;
    int l = get_local_id(0);
    a[l] = b[l] = l;
    for (int n = 0; n < 4; n++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        to[l] = from[63 - l] + n;                        // FINDS local-race
        from = to;
        to = from;
    }
    out[l] = from[l];
}
kernel void right(global int *out, local int *a, local int *b) {
    local int *from = a, *to = b;
    int l = get_local_id(0);
    a[l] = b[l] = l;
    for (int n = 0; n < 4; n++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        to[l] = from[63 - l] + n;
        local int *t = from;
        from = to;
        to = t;
    }
    out[l] = from[l];
}
