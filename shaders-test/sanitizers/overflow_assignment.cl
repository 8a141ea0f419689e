// A sum grows beyond the greatest int.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < i; k++)
        sum += 500000000;                                // FINDS signed-overflow
    out[i] = sum;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < i; k++)
        sum += 300000000;
    out[i] = sum;
}
