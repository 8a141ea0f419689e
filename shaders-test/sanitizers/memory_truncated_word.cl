// Only the lower half of a word is set, which is all that the right kernel stores.
// LAUNCH: global=8 local=8
// ARG: int=8
union word { uint all; ushort halves[2]; };
kernel void wrong(global int *out) {
    union word w;
    w.halves[0] = get_global_id(0);
    out[get_global_id(0)] = w.all;                       // FINDS uninitialized
}
kernel void right(global int *out) {
    union word w;
    w.halves[0] = get_global_id(0);
    out[get_global_id(0)] = (ushort)w.all;
}
