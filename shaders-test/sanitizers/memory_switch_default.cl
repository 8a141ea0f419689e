// A switch does not set its result for all values.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), weight;
    switch (i) {
    case 0: case 1: weight = 4; break;
    case 2: weight = 2; break;
    case 5: weight = 1; break;
    }
    out[i] = weight * 3;                                 // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), weight;
    switch (i) {
    case 0: case 1: weight = 4; break;
    case 2: weight = 2; break;
    case 5: weight = 1; break;
    default: weight = 0;
    }
    out[i] = weight * 3;
}
