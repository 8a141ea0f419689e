// One work-item writes a word, and another one half of the same word.
// LAUNCH: global=64 local=64
// ARG: int=64
union cell { uint word; ushort half_word[2]; };
kernel void wrong(global uint *out) {
    local union cell cells[32];
    uint l = get_local_id(0);
    if (l < 32)
        cells[l].word = 0x10001 * l;                     // FINDS local-race
    else
        cells[63 - l].half_word[1] = l;                  // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = cells[l / 2].word;
}
kernel void right(global uint *out) {
    local union cell cells[32];
    uint l = get_local_id(0);
    if (l < 32)
        cells[l].half_word[0] = l;
    else
        cells[63 - l].half_word[1] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = cells[l / 2].word;
}
