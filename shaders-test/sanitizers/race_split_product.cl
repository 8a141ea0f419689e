// The third dimension of a launch splits the sums of a matrix product, and all parts add to one element.
// LAUNCH: global=8,8,4 local=8,8,1
// ARG: int=64
kernel void wrong(global int *c) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), part = 0;
    for (int k = 2 * z; k < 2 * z + 2; k++)
        part += (y + k) * (k - x);
    c[8 * y + x] += part;                                // FINDS global-race
}
kernel void right(global int *c) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), part = 0;
    for (int k = 2 * z; k < 2 * z + 2; k++)
        part += (y + k) * (k - x);
    atomic_add(&c[8 * y + x], part);
}
