// A calculator has a case for the division and none for its zero.
// LAUNCH: global=16 local=8
// ARG: int=16
int compute(int operation, int a, int b) {
    switch (operation) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;                                // FINDS division-by-zero
    default: return a;
    }
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = compute(i % 4, 7, 11 - i);
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = compute(i % 4, 7, 12 - i);
}
