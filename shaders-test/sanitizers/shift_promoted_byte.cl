// A byte is promoted, so it may be shifted by 8, but not by 32.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    uchar byte = i;
    out[i] = byte << (8 + 4 * i);                        // FINDS shift-count
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    uchar byte = i;
    out[i] = byte << (8 + 3 * i);
}
