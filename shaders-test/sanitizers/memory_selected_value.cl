// The function select chooses a value that was not set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), low, high = 4 * i;
    int chosen = select(low, high, i > 1);
    out[i] = chosen;                                     // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), low = 1, high = 4 * i;
    int chosen = select(low, high, i > 1);
    out[i] = chosen;
}
