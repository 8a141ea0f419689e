// A function returns a structure that it fills for positive numbers only.
// LAUNCH: global=8 local=8
// ARG: int=8
typedef struct { int root, rest; } root;
root root_of(int n) {
    root r;
    if (n > 0) {
        r.root = (int)sqrt((float)n);
        r.rest = n - r.root * r.root;
    }
    return r;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = root_of(i).rest;                            // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = root_of(i + 1).rest;
}
