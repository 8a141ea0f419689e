// A vector is shifted by one count.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    uint2 v = (uint2)(7, 9) >> (uint)(i + 25);           // FINDS shift-count
    out[i] = v.x;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    uint2 v = (uint2)(7, 9) >> (uint)(i + 24);
    out[i] = v.x;
}
