// The id must be the same for all work-items of a sub-group: a shuffle is meant.
// LAUNCH: global=64 local=64
// STD: CL3.0
// ARG: int=64
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    uint next = (get_sub_group_local_id() + 1) % get_sub_group_size();
    out[i] = sub_group_broadcast(i, next);                               // FINDS non-uniform-sub-group-argument
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = sub_group_broadcast(i, get_sub_group_size() - 1);
}
