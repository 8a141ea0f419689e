// The padding of a structure is no value and may be copied; the member behind it is one.
// LAUNCH: global=8 local=8
// ARG: int=16
struct item { char kind; int value; };
kernel void wrong(global struct item *out) {
    struct item item;
    item.kind = 'a';
    out[get_global_id(0)] = item;                        // FINDS uninitialized
}
kernel void right(global struct item *out) {
    struct item item;
    item.kind = 'a';
    item.value = 5;
    out[get_global_id(0)] = item;
}
