// The greatest common divisor is searched by a loop that divides before it tests.
// LAUNCH: global=8 local=8
// ARG: int=8
uint divisor_of(uint a, uint b) {
    do {
        uint rest = a % b;                               // FINDS division-by-zero
        a = b;
        b = rest;
    } while (b != 0);
    return a;
}
kernel void wrong(global uint *out) {
    uint i = get_global_id(0);
    out[i] = divisor_of(12, i);
}
kernel void right(global uint *out) {
    uint i = get_global_id(0);
    out[i] = divisor_of(12, i + 1);
}
