// Each work-item asks for the value of its neighbour: all must ask for the same one.
// LAUNCH: global=64 local=32
// STD: CL3.0
// ARG: int=64
kernel void wrong(global int *out) {
    int i = get_global_id(0), l = get_local_id(0);
    out[i] = work_group_broadcast(i, (l + 1) % 32);                      // FINDS non-uniform-argument
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = work_group_broadcast(i, (get_group_id(0) + 1) % 32);
}
