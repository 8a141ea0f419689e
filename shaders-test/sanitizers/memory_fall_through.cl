// A case falls through to the next, and one that should set the value breaks too early.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), x;
    switch (i & 3) {
    case 0:
        break;
    case 1:
    case 2:
        x = 1;
        break;
    default:
        x = 3;
    }
    out[i] = x;                                          // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), x;
    switch (i & 3) {
    case 0:
    case 1:
    case 2:
        x = 1;
        break;
    default:
        x = 3;
    }
    out[i] = x;
}
