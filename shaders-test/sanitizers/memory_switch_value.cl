// A switch depends on a variable that one path does not set.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), mode;
    if (i != 3)
        mode = i & 1;
    switch (mode) {                                      // FINDS uninitialized
    case 0: out[i] = 5; break;
    case 1: out[i] = 7; break;
    }
}
kernel void right(global int *out) {
    int i = get_global_id(0), mode;
    if (i != 3)
        mode = i & 1;
    switch (i == 3 ? 2 : mode) {
    case 0: out[i] = 5; break;
    case 1: out[i] = 7; break;
    }
}
