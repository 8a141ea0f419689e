// One of the values between which a condition chooses has not been set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global short *out) {
    short lower, upper = 40;
    int i = get_global_id(0);
    short bound = i & 4 ? upper : lower;
    out[i] = bound + 1;                                  // FINDS uninitialized
}
kernel void right(global short *out) {
    short lower = -40, upper = 40;
    int i = get_global_id(0);
    short bound = i & 4 ? upper : lower;
    out[i] = bound + 1;
}
