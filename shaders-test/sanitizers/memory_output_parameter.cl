// A function sets its output only if it succeeds, and the caller does not look whether it did.
// LAUNCH: global=8 local=8
// ARG: int=8
bool root_of(int square, int *root) {
    for (int r = 0; r * r <= square; r++)
        if (r * r == square) {
            *root = r;
            return true;
        }
    return false;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0), root;
    root_of(i, &root);
    out[i] = root;                                       // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), root;
    out[i] = root_of(i, &root) ? root : -1;
}
