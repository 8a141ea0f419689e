// The least integer divided by -1.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    a[i] = (INT_MIN + i) / -(a[i] + 1);                  // FINDS division-overflow
}
kernel void right(global int *a) {
    int i = get_global_id(0);
    a[i] = (INT_MIN + i + 1) / -(a[i] + 1);
}
