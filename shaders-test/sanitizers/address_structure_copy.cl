// A structure is copied as a whole from behind the last one.
// LAUNCH: global=4 local=4
// ARG: int=16
// ARG: int=16
struct quad { int a, b, c, d; };
kernel void wrong(global const struct quad *in, global struct quad *out) {
    int i = get_global_id(0);
    struct quad q = in[i + 1];                           // FINDS out-of-range
    q.a++;
    out[i] = q;
}
kernel void right(global const struct quad *in, global struct quad *out) {
    int i = get_global_id(0);
    struct quad q = in[3 - i];
    q.a++;
    out[i] = q;
}
