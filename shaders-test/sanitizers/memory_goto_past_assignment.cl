// A jump goes past the assignment of the variable.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), factor;
    if (i % 3 == 0)
        goto use;
    factor = i + 1;
use:
    out[i] = 2 * factor;                                 // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), factor;
    factor = i + 1;
    if (i % 3 == 0)
        goto use;
    factor *= factor;
use:
    out[i] = 2 * factor;
}
