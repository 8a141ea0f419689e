// The gradient of a volume is taken forwards in the last slice.
// LAUNCH: global=4,4,4 local=4,4,2
// ARG: int=64
// ARG: int=64
int at(int x, int y, int z) {
    return (z * 4 + y) * 4 + x;
}
kernel void wrong(global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[at(x, y, z)] = in[at(x, y, z + 1)] - in[at(x, y, z)]; // FINDS out-of-range
}
kernel void right(global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[at(x, y, z)] = in[at(x, y, min(z + 1, 3))] - in[at(x, y, z)];
}
