// An unsigned counter falls below zero, and so to a large number, with which the element is another work-item's.
// LAUNCH: global=64 local=32
// ARG: int=264
kernel void wrong(global int *out) {
    uint i = get_global_id(0);
    for (uint k = 3; k > 0; k -= 2) {
        out[4 + 4 * i + k] = 10 * i + k;                 // FINDS global-race
        if (k > 3)
            break;
    }
}
kernel void right(global int *out) {
    uint i = get_global_id(0);
    for (uint k = 3; k > 1; k -= 2) {
        out[4 + 4 * i + k] = 10 * i + k;
        if (k > 3)
            break;
    }
}
