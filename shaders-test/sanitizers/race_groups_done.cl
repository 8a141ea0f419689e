// The groups that have ended are counted without an atomic.
// LAUNCH: global=128 local=16
// ARG: int=2
kernel void wrong(global volatile int *state) {
    if (get_local_id(0) == 3) {
        int done = state[0] + 1;                         // FINDS global-race
        state[0] = done;                                 // FINDS global-race
        if (done == get_num_groups(0))
            state[1] = 1;
    }
}
kernel void right(global volatile int *state) {
    if (get_local_id(0) == 3) {
        int done = atomic_inc(&state[0]) + 1;
        if (done == get_num_groups(0))
            state[1] = 1;
    }
}
