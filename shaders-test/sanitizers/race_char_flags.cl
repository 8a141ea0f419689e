// The flags of two kinds share a byte, and each is set by a work-item of its own.
// LAUNCH: global=64 local=16
// ARG: int=16
kernel void wrong(global uchar *flags) {
    int i = get_global_id(0);
    flags[i / 2] |= i % 2 ? 0x80 : 1;                    // FINDS global-race
}
kernel void right(global uchar *flags) {
    int i = get_global_id(0);
    flags[i / 2 + 32 * (i % 2)] |= i % 2 ? 0x80 : 1;
}
