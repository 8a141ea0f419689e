// What the first copy writes the second one reads, with no wait between them.
// LAUNCH: global=32 local=32
// ARG: int=32
// ARG: int=32
kernel void wrong(global int *out, global int *in) {
    local int t[32];
    event_t e = async_work_group_copy(t, in, 32, 0);                     // FINDS local-race
    e = async_work_group_copy(out, t, 32, e);                            // FINDS local-race
    wait_group_events(1, &e);
}
kernel void right(global int *out, global int *in) {
    local int t[32];
    event_t e = async_work_group_copy(t, in, 32, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy(out, t, 32, 0);
    wait_group_events(1, &e);
}
