// Bytes of one word are memory of their own.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local uchar t[64];
    int l = get_local_id(0);
    t[l] = l;                                            // FINDS local-race
    out[l] = t[l ^ 8];                                   // FINDS local-race
}
kernel void right(global int *out) {
    local uchar t[64];
    int l = get_local_id(0);
    t[l] = l;
    out[l] = t[l];
}
