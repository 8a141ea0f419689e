// The right side of && is evaluated by some work-items only.
// LAUNCH: global=32 local=32
// STD: CL3.0
// ARG: int=32
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    if (i % 2 && work_group_any(i > 20))                                 // FINDS divergent-barrier
        out[i] = 1;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    if (work_group_any(i > 20) && i % 2)
        out[i] = 1;
}
