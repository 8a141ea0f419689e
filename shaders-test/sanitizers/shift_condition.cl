// The shift is computed where the condition before it holds, and nowhere else.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    out[i] = (5u << i * 8) != 0 && i < 4;                // FINDS shift-count
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    out[i] = i < 4 && (5u << i * 8) != 0;
}
