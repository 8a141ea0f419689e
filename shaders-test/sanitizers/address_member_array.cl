// The items of a list are as many as its length says, and the length is one too large.
// LAUNCH: global=8 local=8
// ARG: int=8
typedef struct { int length; int items[3]; } list;
int sum(const list *l) {
    int s = 0;
    for (int k = 0; k < l->length; k++)
        s += l->items[k];                                // FINDS out-of-range
    return s;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    list l = { 4 - i / 8, { i, i + 1, i + 2 } };
    out[i] = sum(&l);
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    list l = { 3 - i / 8, { i, i + 1, i + 2 } };
    out[i] = sum(&l);
}
