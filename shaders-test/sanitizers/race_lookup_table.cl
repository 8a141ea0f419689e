// The table of a checksum is computed by the group in global memory and used at once.
// LAUNCH: global=256 local=256
// ARG: int=256
// ARG: int=256
uint entry(uint n) {
    for (int k = 0; k < 8; k++)
        n = n & 1 ? 0xedb88320u ^ n >> 1 : n >> 1;
    return n;
}
kernel void wrong(global uint *table, global uint *out) {
    uint l = get_local_id(0), sum = ~0u;
    table[l] = entry(l);                                 // FINDS global-race
    for (uint k = 0; k < 4; k++)
        sum = table[(sum ^ l >> k) & 255] ^ sum >> 8;    // FINDS global-race
    out[l] = ~sum;
}
kernel void right(global uint *table, global uint *out) {
    uint l = get_local_id(0), sum = ~0u;
    table[l] = entry(l);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint k = 0; k < 4; k++)
        sum = table[(sum ^ l >> k) & 255] ^ sum >> 8;
    out[l] = ~sum;
}
