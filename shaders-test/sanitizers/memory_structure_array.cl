// The items of a list behind its length are not set.
// LAUNCH: global=8 local=8
// ARG: int=8
struct list { int length, items[4]; };
struct list numbers_below(int n) {
    struct list l;
    for (l.length = 0; l.length < n; l.length++)
        l.items[l.length] = l.length;
    return l;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    struct list l = numbers_below(i & 3);
    out[i] = l.items[l.length];                          // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    struct list l = numbers_below((i & 3) + 1);
    out[i] = l.items[l.length - 1];
}
