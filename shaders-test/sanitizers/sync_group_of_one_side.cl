// The groups at the border have work-items outside, and these skip the barrier.
// LAUNCH: global=96 local=32
// ARG: int=90
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    bool inside = i < 90;
    if (inside) {
        int x = a[i] + i;
        barrier(CLK_GLOBAL_MEM_FENCE);                   // FINDS divergent-barrier
        a[i] = x;
    }
}
kernel void right(global int *a) {
    int i = get_global_id(0), x = 0;
    bool inside = i < 90;
    if (inside)
        x = a[i] + i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (inside)
        a[i] = x;
}
