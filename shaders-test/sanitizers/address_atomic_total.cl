// The total is kept behind the counters of all groups, for which the buffer has no room.
// LAUNCH: global=64 local=16
// ARG: int=4
kernel void wrong(global int *counters) {
    atomic_inc(&counters[get_group_id(0)]);
    if (get_local_id(0) == 0)
        atomic_add(&counters[get_num_groups(0)], 16);    // FINDS out-of-range
}
kernel void right(global int *counters) {
    atomic_inc(&counters[get_group_id(0)]);
    if (get_local_id(0) == 0)
        atomic_add(&counters[get_num_groups(0) - 1], 16);
}
