// A product wraps around to zero before it divides.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global uint *out) {
    uint i = get_global_id(0), side = 65536 - (i & 1);
    out[i] = 4000000000u / (side * side);                // FINDS division-by-zero
}
kernel void right(global uint *out) {
    uint i = get_global_id(0);
    ulong side = 65536 - (i & 1);
    out[i] = 4000000000u / (side * side);
}
