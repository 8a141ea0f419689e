// A half has no number of more than 65504. Rounding toward zero makes that of it.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global half *out) {
    int i = get_global_id(0);
    vstore_half(i * 20000.0f, i, out);                   // FINDS not-finite
}
kernel void right(global half *out) {
    int i = get_global_id(0);
    vstore_half_rtz(i * 20000.0f, i, out);
}
