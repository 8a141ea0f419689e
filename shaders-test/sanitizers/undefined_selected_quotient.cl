// The conditional operator evaluates one operand for scalars, and the condition is that of the other divisor.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), a = i & 1, b = i & 2;
    out[i] = a ? 10 / b : -1;                            // FINDS division-by-zero
}
kernel void right(global int *out) {
    int i = get_global_id(0), a = i & 1, b = i & 2;
    out[i] = b ? 10 / b : a ? 10 / a : -1;
}
