// A search leaves a pointer to private memory null where it finds nothing.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), keys[8];
    for (int k = 0; k < 8; k++)
        keys[k] = 2 * k;
    int *found = 0;
    for (int k = 0; k < 8; k++)
        if (keys[k] == i)
            found = &keys[k];
    out[i] = *found;                                     // FINDS null-pointer, out-of-range
}
kernel void right(global int *out) {
    int i = get_global_id(0), keys[8];
    for (int k = 0; k < 8; k++)
        keys[k] = 2 * k;
    int *found = 0;
    for (int k = 0; k < 8; k++)
        if (keys[k] == i)
            found = &keys[k];
    out[i] = found ? *found : -1;
}
