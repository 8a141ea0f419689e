// The limit of an unsigned counter is the largest number; the loop is left before.
// LAUNCH: global=64 local=32
// ARG: int=80
kernel void wrong(global int *out) {
    uint i = get_global_id(0), limit = get_global_size(0) - 65;
    for (uint k = 0; k < limit; k++) {
        if (k == 4)
            break;
        out[i + k] = 10 * i + k;                         // FINDS global-race
    }
}
kernel void right(global int *out) {
    uint i = get_global_id(0), limit = get_global_size(0) - 65;
    for (uint k = 0; k < limit; k++) {
        if (k == 4)
            break;
        out[i] = 10 * i + k;
    }
}
