// A loop over the data by the size of the launch has one iteration more for the first work-items of a group.
// LAUNCH: global=128 local=64
// ARG: int=200
kernel void wrong(global int *a) {
    for (uint i = get_global_id(0); i < 200; i += get_global_size(0)) {
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
        a[i] = i;
    }
}
kernel void right(global int *a) {
    for (uint base = 0; base < 200; base += get_global_size(0)) {
        uint i = base + get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < 200)
            a[i] = i;
    }
}
