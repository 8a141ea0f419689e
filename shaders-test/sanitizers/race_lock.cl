// A lock is taken by a test and a store, and guards a sum.
// LAUNCH: global=64 local=16
// ARG: int=2
kernel void wrong(global int *state) {
    if (state[0] == 0) {                                 // FINDS global-race
        state[0] = get_global_id(0) + 1;                 // FINDS global-race
        atomic_add(&state[1], 1);
        state[0] = 0;                                    // FINDS global-race
    }
}
kernel void right(global int *state) {
    if (atomic_cmpxchg(&state[0], 0, (int)get_global_id(0) + 1) == 0) {
        atomic_add(&state[1], 1);
        atomic_xchg(&state[0], 0);
    }
}
