// A flag is set where an element is found, and tested where none is.
// LAUNCH: global=16 local=8
// ARG: int=64
// ARG: int=16
kernel void wrong(global const int *keys, global int *out) {
    int i = get_global_id(0), found;
    for (int k = 0; k < 4; k++)
        if (keys[4 * i + k] + k == i)
            found = 1;
    if (found)                                           // FINDS uninitialized
        out[i] = 1;
}
kernel void right(global const int *keys, global int *out) {
    int i = get_global_id(0), found = 0;
    for (int k = 0; k < 4; k++)
        if (keys[4 * i + k] + k == i)
            found = 1;
    if (found)
        out[i] = 1;
}
