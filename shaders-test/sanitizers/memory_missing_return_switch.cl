// A `switch` has no default, and nothing is behind it.
// LAUNCH: global=16 local=16
// ARG: int=16
float weight(int kind) {
    switch (kind) {
    case 0: return 0.5f;
    case 1: return 1.0f;
    case 2: return 2.0f;
    }
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    float sum = 10 * weight(i % 4);
    if (sum > 5)                                         // FINDS uninitialized
        out[i] = 1;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    float sum = 10 * weight(i % 3);
    if (sum > 5)
        out[i] = 1;
}
