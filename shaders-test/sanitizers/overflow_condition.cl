// The product is computed where the condition before it holds, and nowhere else.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int x = i * 20000;
    out[i] = x * x > 5 && i < 3;                         // FINDS signed-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int x = i * 20000;
    out[i] = i < 3 && x * x > 5;
}
