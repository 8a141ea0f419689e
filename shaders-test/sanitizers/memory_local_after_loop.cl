// Each work-item fills every second element of its part of local memory.
// LAUNCH: global=32 local=16
// ARG: int=32
// ARG: local=512
kernel void wrong(global int *out, local int *t) {
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 8; k += 2)
        t[8 * l + k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < 128; k += 16)
        sum += t[k];
    out[get_global_id(0)] = sum;                         // FINDS uninitialized
}
kernel void right(global int *out, local int *t) {
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 8; k++)
        t[8 * l + k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < 128; k += 16)
        sum += t[k];
    out[get_global_id(0)] = sum;
}
