// A short is set in the lower half of a word, and the upper half is stored.
// LAUNCH: global=8 local=8
// ARG: int=8
union word { uint all; ushort halves[2]; };
kernel void wrong(global int *out) {
    union word w;
    w.halves[0] = get_global_id(0);
    out[get_global_id(0)] = w.all >> 16;                 // FINDS uninitialized
}
kernel void right(global int *out) {
    union word w;
    w.halves[0] = get_global_id(0);
    out[get_global_id(0)] = w.halves[0];
}
