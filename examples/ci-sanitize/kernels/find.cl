// The index of an element with a value, or what was in 'where' before.
kernel void find(global const int *in, int value, global int *where) {
    int i = get_global_id(0);
    if (in[i] == value)
        *where = i; // Any of them will do. clforge: benign-race
}
