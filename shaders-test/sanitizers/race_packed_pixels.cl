// A colour channel is changed by a read and a write of the whole pixel.
// LAUNCH: global=256 local=64
// ARG: int=64
kernel void wrong(global uint *pixels) {
    uint i = get_global_id(0), shift = i / 64 * 8, at = i % 64;
    uint pixel = pixels[at];                             // FINDS global-race
    pixels[at] = (pixel & ~(0xffu << shift)) | (i & 0xff) << shift; // FINDS global-race
}
kernel void right(global uint *pixels) {
    uint i = get_global_id(0), channel = i / 64, at = i % 64;
    ((global uchar *)pixels)[4 * at + channel] = i;
}
