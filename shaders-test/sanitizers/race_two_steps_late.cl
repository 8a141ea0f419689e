// There is one barrier for two steps of a shift, which needs one for each.
// LAUNCH: global=96 local=96
// ARG: int=96
kernel void wrong(global int *out) {
    local int a[96], b[96];
    int l = get_local_id(0);
    a[l] = l + 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = a[(l + 1) % 96];                              // FINDS local-race
    a[l] = b[(l + 40) % 96];                             // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = a[l];
}
kernel void right(global int *out) {
    local int a[96], b[96];
    int l = get_local_id(0);
    a[l] = l + 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = a[(l + 1) % 96];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = b[(l + 40) % 96];
    out[l] = a[l];
}
