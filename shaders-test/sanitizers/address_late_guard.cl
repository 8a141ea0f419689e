// The index is tested after the element that it selects.
// LAUNCH: global=16 local=16
// ARG: int=16
// ARG: int=16
kernel void wrong(global const int *a, global int *runs) {
    int i = get_global_id(0), end = i;
    while (a[end] == 0 && end < 16)                      // FINDS out-of-range
        end++;
    runs[i] = end - i;
}
kernel void right(global const int *a, global int *runs) {
    int i = get_global_id(0), end = i;
    while (end < 16 && a[end] == 0)
        end++;
    runs[i] = end - i;
}
