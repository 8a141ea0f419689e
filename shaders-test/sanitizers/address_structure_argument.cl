// The last word of a structure does not fit into the rest of the buffer.
// LAUNCH: global=6 local=6
// ARG: int=17
struct triple { int a, b, c; };
kernel void wrong(global struct triple *t) {
    t[get_global_id(0)].c = 5;                           // FINDS out-of-range
}
kernel void right(global struct triple *t) {
    int i = get_global_id(0);
    if (i < 5)
        t[i].c = 5;
    else
        t[i].b = 5;
}
