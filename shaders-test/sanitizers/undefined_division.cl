// Divisions by zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *a) {
    int i = get_global_id(0);
    a[i] = 8 / (4 - i);                                  // FINDS division-by-zero
    a[i] += 7u % (uint)i;                                // FINDS division-by-zero
}
kernel void right(global int *a) {
    int i = get_global_id(0);
    a[i] = 8 / (9 - i);
    a[i] += 7u % (uint)(i + 1);
}
