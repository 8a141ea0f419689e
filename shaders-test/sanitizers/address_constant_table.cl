// A table of weights has no entry for the value that the switch gives by default.
// LAUNCH: global=8 local=8
// ARG: int=8
constant int weights[4] = { 1, 4, 6, 4 };
int class_of(int i) {
    switch (i & 7) {
    case 0: return 0;
    case 1: case 2: return 1;
    case 3: return 2;
    case 4: return 3;
    default: return 4;
    }
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = weights[class_of(i)];                       // FINDS out-of-range
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = weights[class_of(i) & 3];
}
