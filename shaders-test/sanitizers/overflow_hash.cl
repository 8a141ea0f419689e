// A hash of a signed number, and of an unsigned one, which wraps around.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int hash = 17 + i;
    hash = hash * 310000000 + 7;                          // FINDS signed-overflow
    out[i] = hash;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    uint hash = 17 + i;
    hash = hash * 310000000u + 7;
    out[i] = hash;
}
