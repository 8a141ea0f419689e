// A search returns nothing where it finds nothing; the result is an index.
// LAUNCH: global=16 local=16
// ARG: int=16
// ARG: int=16
int find(global const int *a, int key) {
    for (int k = 0; k < 16; k++)
        if (a[k] == key)
            return k;
}
kernel void wrong(global int *out, global const int *a) {
    int i = get_global_id(0);
    out[find(a, i) % 16] = 1;                            // FINDS uninitialized
}
kernel void right(global int *out, global const int *a) {
    int i = get_global_id(0), last = find(a, i);
    if (i == 0)
        out[last % 16] = 1;
}
