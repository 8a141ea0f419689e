// An index into local memory is computed by some of the work-items only.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global int *out) {
    local int t[32];
    int l = get_local_id(0), at;
    if (l < 30)
        at = 31 - l;
    t[at & 31] = l;                                      // FINDS uninitialized
    out[l] = l;
}
kernel void right(global int *out) {
    local int t[32];
    int l = get_local_id(0), at = 31 - l;
    if (l < 30)
        at = 31 - l;
    t[at & 31] = l;
    out[l] = t[at];
}
