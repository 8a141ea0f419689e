// One lane of the divisors is zero, in a vector of unsigned numbers.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global uint2 *out) {
    uint i = get_global_id(0);
    out[i] = (uint2)(100, 200) % (uint2)(i + 1, i & 4);  // FINDS division-by-zero
}
kernel void right(global uint2 *out) {
    uint i = get_global_id(0);
    out[i] = (uint2)(100, 200) % (uint2)(i + 1, i & 4 | 1);
}
