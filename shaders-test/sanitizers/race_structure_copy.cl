// Structures in local memory are copied from the neighbour without a barrier.
// LAUNCH: global=64 local=64
// ARG: int=64
struct body { float x, y, mass; };
kernel void wrong(global float *out) {
    local struct body bodies[64];
    int l = get_local_id(0);
    struct body b = { l, 2 * l, 1 };
    bodies[l] = b;                                       // FINDS local-race
    b = bodies[(l + 8) % 64];                            // FINDS local-race
    out[l] = b.x * b.mass;
}
kernel void right(global float *out) {
    local struct body bodies[64];
    int l = get_local_id(0);
    struct body b = { l, 2 * l, 1 };
    bodies[l] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    b = bodies[(l + 8) % 64];
    out[l] = b.x * b.mass;
}
