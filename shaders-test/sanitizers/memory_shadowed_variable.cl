// A declaration in a block hides the variable that was to be set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), offset;
    if (i & 1) {
        int offset = 3;
        i += offset;
    } else {
        offset = 1;
    }
    out[get_global_id(0)] = i - offset;                  // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), offset;
    if (i & 1) {
        offset = 3;
        i += offset;
    } else {
        offset = 1;
    }
    out[get_global_id(0)] = i - offset;
}
