// Objects of different sizes are placed one after the other in a pool of local memory.
// LAUNCH: global=8 local=8
// ARG: int=8
// ARG: local=256
kernel void wrong(global int *out, local uchar *pool) {
    int l = get_local_id(0);
    local uchar *mine = pool + 16 * l;
    mine[0] = l;
    *(local int *)(mine + 1) = l;                        // FINDS misaligned
    out[l] = mine[0];
}
kernel void right(global int *out, local uchar *pool) {
    int l = get_local_id(0);
    local uchar *mine = pool + 16 * l;
    mine[0] = l;
    *(local int *)(mine + 4) = l;
    out[l] = mine[0] + *(local int *)(mine + 4);
}
