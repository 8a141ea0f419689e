// The shares of a local buffer are three elements apart and four long.
// LAUNCH: global=32 local=32
// ARG: int=32
// ARG: local=512
kernel void wrong(global int *out, local int *scratch) {
    int l = get_local_id(0), sum = 0;
    local int *mine = scratch + 3 * l;
    for (int k = 0; k < 4; k++)
        mine[k] = l * 10 + k;                            // FINDS local-race
    for (int k = 0; k < 4; k++)
        sum += mine[k];                                  // FINDS local-race
    out[l] = sum;
}
kernel void right(global int *out, local int *scratch) {
    int l = get_local_id(0), sum = 0;
    local int *mine = scratch + 4 * l;
    for (int k = 0; k < 4; k++)
        mine[k] = l * 10 + k;
    for (int k = 0; k < 4; k++)
        sum += mine[k];
    out[l] = sum;
}
