// Structures of eight words are copied, and their members in the middle are read by others.
// LAUNCH: global=64 local=64
// ARG: int=64
struct state { int a, b, c, d, e, f, g, h; };
kernel void wrong(global int *out) {
    local struct state states[64];
    int l = get_local_id(0);
    struct state s = { l, l, l, l, 2 * l, 3 * l, l, l };
    states[l] = s;                                       // FINDS local-race
    out[l] = states[(l + 24) % 64].f;                    // FINDS local-race
}
kernel void right(global int *out) {
    local struct state states[64];
    int l = get_local_id(0);
    struct state s = { l, l, l, l, 2 * l, 3 * l, l, l };
    states[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = states[(l + 24) % 64].f;
}
