// Bytes of a palette are written and read as words by others.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global uint *out) {
    local union { uchar bytes[64]; uint words[16]; } palette;
    int l = get_local_id(0);
    palette.bytes[l] = 255 - l;                          // FINDS local-race
    out[l] = palette.words[l & 15];                      // FINDS local-race
}
kernel void right(global uint *out) {
    local union { uchar bytes[64]; uint words[16]; } palette;
    int l = get_local_id(0);
    palette.bytes[l] = 255 - l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = palette.words[l & 15];
}
